/** What a load's evidence has of a handshake, tested with packets whose times are known. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { handshake } from "../../observe/test-packets.fixture.ts";
import { flowEvidence } from "./network.ts";

const [syn, answer, ack] = handshake.map((packet) => (timeMs: number) => ({ ...packet, timeMs }));
const opened = (...packets: typeof handshake) => {
  const [flow] = flowEvidence({ packets }, [], [{ service: "server1", name: "s1.lab", address: "198.18.1.11" }]);
  return [flow?.handshakeMs, flow?.answerMs];
};

test("evidence has the time of the first answer if a SYN or SYN/ACK was retransmitted", () => {
  assert.deepEqual(opened(syn!(0), answer!(100), ack!(100.1)), [100, undefined]);
  assert.deepEqual(opened(syn!(0), syn!(1000), answer!(1300.5), ack!(1300.6)), [null, 1300.5]);
  assert.deepEqual(opened(syn!(0), answer!(700), ack!(700.1), answer!(1700)), [null, 700]);
  assert.deepEqual(opened(syn!(0), syn!(1000)), [null, undefined]);
});
