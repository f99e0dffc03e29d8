import assert from "node:assert/strict";
import { test } from "node:test";
import { congestionIn } from "./congestion-log.ts";

const id = "0x0d6ea3ab3d9d4c5e17aa6fce1b02f2f8a0bd";
const line = (rest: string) => `I00000112 ${id} ${rest}`;
const packets = [
  line("pkt rx 13 1RTT ACK(0x02) largest_ack=13 ack_delay=5(640) ack_range_count=0"),
  line("ldc latest_rtt=40 min_rtt=40 smoothed_rtt=40 rttvar=20 ack_delay=0"),
];

test("congestionIn recognises each congestion control by the lines that only its code writes to ngtcp2's log", () => {
  const controls: Record<string, string> = {
    cubic: "cca 2400 bytes acked, slow start cwnd=14400",
    reno: "cca pkn=13 acked, slow start cwnd=13200",
    bbr: "cca bbr enter Startup",
  };
  for (const [control, wrote] of Object.entries(controls))
    assert.deepEqual(congestionIn([...packets, line(wrote), ...packets].join("\n")), [control]);
  const later = [line("cca 1200 bytes acked, cubic-ca cwnd=9800 k=1 target=9900 w_est=9700")];
  assert.deepEqual(congestionIn([...packets, ...later].join("\n")), ["cubic"], "after slow start");
  const both = [line(controls.reno!), line(controls.bbr!)].join("\n");
  assert.deepEqual(congestionIn(both), ["reno", "bbr"], "of two connections");
});

test("congestionIn ignores other lines, even a request for a path with the same words", () => {
  const request = "http: stream 0x0 [:path: /cca bbr enter Startup]";
  assert.deepEqual(
    congestionIn([...packets, request, line("cca reduce cwnd because of packet loss cwnd=7200")].join("\n")),
    [],
  );
  assert.deepEqual(congestionIn(""), []);
});
