import assert from "node:assert/strict";
import { test } from "node:test";
import { parseKnown, parseUndelivered } from "./open-sockets.ts";

/** Output of ss from iproute2 6.1. */
const sockets = `0 0 [::ffff:198.18.1.11]:8080 [::ffff:198.18.0.10]:40123 cubic wscale:7,7 rto:304 rtt:103.5/12.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:18 bytes_sent:26064 bytes_retrans:1448 bytes_acked:24617 bytes_received:90 segs_out:20 segs_in:12 data_segs_out:18 data_segs_in:1 send 2014686bps lastsnd:1 pacing_rate 4029360bps delivery_rate 1180432bps delivered:18 app_limited busy:300ms retrans:0/1 rcv_space:14480 rcv_ssthresh:64088 minrtt:100.25 snd_wnd:64256
0 0 198.18.1.11:8080 198.18.0.10:40124 cubic wscale:7,7 rto:301 rtt:100.1/50.05 mss:1448 cwnd:10 bytes_received:90 segs_out:1 segs_in:2 minrtt:100.1
0 0 198.18.1.11:8080 198.18.0.11:40123 cubic wscale:7,7 rto:304 rtt:1/1 mss:1448 cwnd:10 bytes_acked:500 minrtt:1
`;

test("parseKnown returns the socket's values for each connection that has sent data to the client", () =>
  assert.deepEqual(parseKnown(sockets, "198.18.0.10"), [
    {
      minRttMs: 100.25,
      rttMs: 103.5,
      deliveryMbps: 1.180432,
      cwnd: 18,
      retransmittedSegments: 1,
      deliveredBytes: 24_617,
    },
  ]));

test("values that ss leaves out are 0", () => {
  const [known] = parseKnown(sockets.replace(" retrans:0/1", ""), "198.18.0.10");
  assert.equal(known!.retransmittedSegments, 0);
});

test("parseKnown leaves out connections from excluded client ports", () =>
  assert.deepEqual(parseKnown(sockets, "198.18.0.10", [40_123]), []));

test("parseUndelivered counts undelivered bytes to the given host, even if the program that sent them has ended", () => {
  const left = `ESTAB      0      0      198.18.1.11:5203 198.18.0.10:40123
FIN-WAIT-1 0      14481  [::ffff:198.18.1.11]:5203 [::ffff:198.18.0.10]:40125
LAST-ACK   0      1      198.18.1.11:5203 198.18.0.10:40126
FIN-WAIT-1 0      9      198.18.1.11:5203 198.18.0.11:40125
`;
  assert.equal(parseUndelivered(left, "198.18.0.10"), 14_482);
});
