import { fullFrameBytes, type Link, packetMs } from "../schema/link.ts";
import type { Values } from "../schema/plan.ts";
import type { Protocol } from "../schema/protocol.ts";

/** The link that a condition's values make. */
export const linkOf = ({ down, up, rtt, loss, queue }: Values): Link => ({
  downMbps: Number(down),
  upMbps: Number(up),
  rttMs: Number(rtt),
  lossPercent: Number(loss),
  queuePackets: Number(queue),
});

export const linkValues = ({ downMbps, upMbps, rttMs, lossPercent, queuePackets }: Link): Values => ({
  down: downMbps,
  up: upMbps,
  rtt: rttMs,
  loss: lossPercent,
  queue: queuePackets,
});

/**
 * The packets of a handshake's first round trip, bytes on Ethernet at most: SYN and SYN/ACK with their options; a client's hello
 * over QUIC, which may fill two datagrams, and the first datagram of the answer.
 */
const helloBytes = {
  tcp: { up: 74, down: 74 },
  quic: { up: 2 * fullFrameBytes, down: fullFrameBytes },
};

/** What a handshake's first round trip takes beyond the RTT, milliseconds, at most. */
export const serialisationMs = ({ downMbps, upMbps }: Link, transport: Protocol["transport"] = "tcp") =>
  packetMs(helloBytes[transport].down, downMbps) + packetMs(helloBytes[transport].up, upMbps);
