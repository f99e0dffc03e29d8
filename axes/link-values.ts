import type { Link } from "../schema/link.ts";
import type { Values } from "../schema/plan.ts";

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

const synBytes = 74; // SYN and SYN/ACK with their options, on Ethernet

/** What a handshake takes beyond the RTT, milliseconds: its two packets over the two rates. */
export const serialisationMs = ({ downMbps, upMbps }: Link) =>
  (synBytes * 8) / 1000 / downMbps + (synBytes * 8) / 1000 / upMbps;
