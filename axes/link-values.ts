import { fullFrameBytes, type Link, longestSendingMs, queueOf, sendingMs } from "../schema/link.ts";
import { initialTimeoutMs } from "../schema/linux.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Protocol } from "../schema/protocol.ts";
import type { RateTrace } from "../schema/rate-trace.ts";
import { entryOf, type Registries } from "../schema/registries.ts";
import { lengthOf, limitOf } from "./queue-length.ts";

/** The value of `queueUp` for a queue upwards that is as long as the queue downwards. */
export const sameQueue = "same";

/** The value of `trace` for rates that do not vary. */
export const noTrace = "none";

export const traceNamed = (name: string, { traces = {} }: Pick<Registries, "traces">): RateTrace => ({
  name,
  ...entryOf(traces, "traces", name),
});

/** A registry of traces that has only the link's own trace. */
export const tracesIn = ({ trace }: Pick<Link, "trace">): Pick<Registries, "traces"> =>
  trace ? { traces: { [trace.name]: trace } } : {};

/** The values that a link's name stands for. */
export type LinkValues = Pick<ConditionValues, "down" | "up" | "rtt" | "loss" | "queue" | "queueUp" | "trace">;

export const namedLinkOf = (
  { down, up, rtt, loss, queue, queueUp, trace }: LinkValues,
  registries: Pick<Registries, "traces">,
): Link => ({
  downMbps: down,
  upMbps: up,
  rttMs: rtt,
  lossPercent: loss,
  ...limitOf(queue),
  ...(queueUp !== sameQueue && { upQueue: limitOf(queueUp) }),
  ...(trace !== undefined && trace !== noTrace && { trace: traceNamed(trace, registries) }),
});

/** The link that a condition's values describe. Properties with their default value are absent. */
export function linkOf(all: ConditionValues, registries: Pick<Registries, "traces">): Link {
  const { jitter, reorder, burst, lossIn, duplicate, corrupt, aqm, ecn } = all;
  return {
    ...namedLinkOf(all, registries),
    ...(jitter > 0 && { jitterMs: jitter }),
    ...(reorder === "on" && { reorders: true as const }),
    ...(burst > 1 && { lossBurstPackets: burst }),
    ...(lossIn !== "both" && { lossIn }),
    ...(duplicate > 0 && { duplicatePercent: duplicate }),
    ...(corrupt > 0 && { corruptPercent: corrupt }),
    ...(aqm !== "none" && { aqm }),
    ...(ecn === "on" && { ecn: true as const }),
  };
}

export const linkValues = (link: Link): LinkValues => ({
  down: link.downMbps,
  up: link.upMbps,
  rtt: link.rttMs,
  loss: link.lossPercent,
  queue: lengthOf(queueOf(link, "down")),
  queueUp: link.upQueue ? lengthOf(link.upQueue) : sameQueue,
  trace: link.trace?.name ?? noTrace,
});

/** Most bytes on Ethernet in a handshake's first round trip: SYN and SYN/ACK with options; a ClientHello in two datagrams, and one datagram back. */
const helloBytes = {
  tcp: { up: 74, down: 74 },
  quic: { up: 2 * fullFrameBytes, down: fullFrameBytes },
};

/** The maximum transmission time of a handshake's first round trip, in addition to the RTT. If the rate varies: at its highest rate. */
export const serialisationMs = (link: Link, transport: Protocol["transport"] = "tcp") =>
  sendingMs(link, "down", helloBytes[transport].down) + sendingMs(link, "up", helloBytes[transport].up);

/** As `serialisationMs`, but at the lowest rate if the rate varies. */
export const longestSerialisationMs = (link: Link, transport: Protocol["transport"] = "tcp") =>
  longestSendingMs(link, "down", helloBytes[transport].down) + longestSendingMs(link, "up", helloBytes[transport].up);

/** Whether every SYN is retransmitted because its SYN/ACK cannot arrive in time. Before Linux 5.2, servers then began with one segment (RFC 5681). */
export const outlastsSynTimer = (link: Link): boolean => link.rttMs + serialisationMs(link) >= initialTimeoutMs;

/** Whether a SYN may be retransmitted although no packet is lost and none queues. */
export const mayOutlastSynTimer = (link: Link): boolean =>
  link.rttMs + 2 * (link.jitterMs ?? 0) + longestSerialisationMs(link) >= initialTimeoutMs;
