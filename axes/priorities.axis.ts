import type { Evidence } from "../schema/evidence.ts";
import { fullSegmentBytes } from "../schema/link.ts";
import type { StreamsEvidence } from "../schema/packet-evidence.ts";
import { defineAxis, type Verdict, verdictOf } from "./axis.ts";
import { isOverQuic, usedQuicFlows } from "./flows.ts";
import { oneOf } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    priorities: "own" | "honoured" | "ignored";
  }
}

/** A server may send this many bytes before it reads a new request: the burst that a pacing server gives to its kernel (RFC 9002, 7.7). */
const leastBytes = 10 * fullSegmentBytes;

/**
 * RFC 9218. "Ignored" is confirmed if the server sent many bytes while a more urgent response waited. "Honoured" is confirmed if it sent few such
 * bytes, although a more urgent request came while a less urgent response was being sent (observe/priorities.ts).
 */
export const axis = defineAxis({
  name: "priorities",
  title: "whether the server sends the responses to more urgent requests first; own: the server software decides",
  example: "honoured",
  follows: "server",
  field: "priorities",
  value: oneOf(["own", "honoured", "ignored"]),
  default: "own",
  unknownBefore: "the lab could tell servers to honour priorities",
  label: (asked) => (asked === "own" ? "the server's own order" : `priorities ${asked}`),
  id: (asked) => `priorities-${asked}`,
  sets: (asked) => (asked === "own" ? {} : { server: { priorities: asked } }),
  needs: (asked) => (asked === "own" ? null : "priorities"),
  refuses: (asked, all, registries) =>
    asked === "own" || isOverQuic(all, registries)
      ? null
      : `over ${all.protocol} no server can be configured to honour or ignore priorities; own is allowed`,
  proves: (asked, _, evidence) =>
    asked === "own" ? { notObservable: "no order is configured for the server" } : provesOrder(asked, evidence),
});

function provesOrder(asked: "honoured" | "ignored", { packets }: Evidence): Verdict {
  const seen = usedQuicFlows(packets.quicFlows).flatMap(({ name, streams = {} }) => {
    const { earlyBytes = 0, contestedBytes = 0 }: Ordered = streams;
    const found = orderOf(earlyBytes, contestedBytes);
    return found ? [{ name, earlyBytes, contestedBytes, found }] : [];
  });
  if (!seen.length)
    return { notObservable: "no more urgent request came while much of a less urgent response was left to send" };
  const problems = seen.flatMap(({ name, earlyBytes, contestedBytes, found }) => {
    if (found === asked) return [];
    const expected = `at least ${contestedBytes} are expected if priorities are ignored`;
    return [
      `${name}: ${earlyBytes} bytes were sent while a more urgent response waited, and ${expected}, so they are ${found}`,
    ];
  });
  return verdictOf(problems);
}

type Ordered = Pick<StreamsEvidence, "earlyBytes" | "contestedBytes">;

/** Bytes sent early: at least the contested ones if a server ignores urgency, none if it honours urgency. The limit is half. Null: both possible. */
function orderOf(earlyBytes: number, contestedBytes: number): "honoured" | "ignored" | null {
  if (earlyBytes >= Math.max(leastBytes, contestedBytes / 2)) return "ignored";
  return contestedBytes >= leastBytes && earlyBytes < contestedBytes / 2 ? "honoured" : null;
}
