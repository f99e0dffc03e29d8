/** Tests how evidence describes a handshake, with packets whose times are known. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { quicServerFlows } from "../../observe/quic-flows.ts";
import { bytes, datagram, serverInitial } from "../../observe/quic-packets.fixture.ts";
import { handshake } from "../../observe/test-packets.fixture.ts";
import type { ServerObservation } from "../../schema/observation.ts";
import { flowEvidence, quicFlowEvidence } from "./flow-evidence.ts";

const [syn, answer, ack] = handshake.map((packet) => (timeMs: number) => ({ ...packet, timeMs }));
const opened = (...packets: typeof handshake) => {
  const [flow] = flowEvidence({ packets }, [], [{ service: "server1", name: "s1.lab", address: "198.18.1.11" }]);
  return [flow?.handshakeMs, flow?.answerMs];
};

test("if a SYN or SYN/ACK was retransmitted, handshakeMs is null, and answerMs is the time of the first SYN/ACK", () => {
  assert.deepEqual(opened(syn!(0), answer!(100), ack!(100.1)), [100, undefined]);
  assert.deepEqual(opened(syn!(0), syn!(1000), answer!(1300.5), ack!(1300.6)), [null, 1300.5]);
  assert.deepEqual(opened(syn!(0), answer!(700), ack!(700.1), answer!(1700)), [null, 700]);
  assert.deepEqual(opened(syn!(0), syn!(1000)), [null, undefined]);
});

test("startMissed is set if the client's first QUIC packet was not the first to reach the server", () => {
  const rest = "0000 449e 7b9aec34 d1b1c98dd7689fb8ec11d242b123dc9b d8bab936";
  const second = bytes(`c0 00000001 08 8394c8f03e515708 ${rest}`); // packet 2, as in RFC 9001
  const answer = datagram(110, false, serverInitial);
  const hosts = [{ service: "server1", name: "s1.lab", address: "198.18.1.11" }];
  const missed = (firstNumber: number | null) => {
    const [arrived] = quicServerFlows([datagram(50, true, second), answer]);
    const server = { quicFlows: [{ ...arrived!, firstNumber }] } as ServerObservation;
    return quicFlowEvidence({ quic: [datagram(0, true, second), answer] }, [server], hosts)[0]!.server!.startMissed;
  };
  assert.equal(missed(2), undefined);
  assert.equal(missed(3), true);
  assert.equal(missed(null), undefined, "the packet number could not be read");
});
