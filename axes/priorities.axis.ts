import type { Evidence } from "../schema/evidence.ts";
import { fullSegmentBytes } from "../schema/link.ts";
import { defineAxis, type Verdict } from "./axis.ts";
import { isOverQuic, usedQuicFlows } from "./flows.ts";
import { oneOf } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    priorities: "own" | "honoured" | "ignored";
  }
}

/** A server may send this much before it has read a request: what it hands to its kernel at once when it paces (RFC 9002, section 7.7). */
const leastBytes = 10 * fullSegmentBytes;

/**
 * Whether the server sends responses by the urgency of their requests (RFC 9218). Confirmed where a more urgent request came while a less urgent
 * response was being sent: by the bytes of the less urgent one that were sent before the other was complete (observe/priorities.ts).
 */
export const axis = defineAxis({
  name: "priorities",
  title: "whether the server sends responses by the urgency of their requests; own: as its software does",
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
      : `over ${all.protocol} no server can be told to honour or ignore priorities; own is allowed`,
  proves: (asked, _, evidence) =>
    asked === "own" ? { notObservable: "the server was not told an order" } : provesOrder(asked, evidence),
});

function provesOrder(asked: "honoured" | "ignored", { packets }: Evidence): Verdict {
  const seen = usedQuicFlows(packets.quicFlows).flatMap(({ name, streams }) => {
    const { earlyBytes = 0, contestedBytes = 0 } = streams ?? {};
    return contestedBytes < leastBytes ? [] : [{ name, earlyBytes, contestedBytes }];
  });
  if (!seen.length)
    return { notObservable: "no more urgent request came while much of a less urgent response was left to send" };
  // A server that ignores urgency sends at least the contested bytes early, and one that honours it none of them: half is between.
  const problems = seen.flatMap(({ name, earlyBytes, contestedBytes }) => {
    const found = earlyBytes < contestedBytes / 2 ? "honoured" : "ignored";
    if (found === asked) return [];
    return [
      `${name}: ${earlyBytes} bytes were sent while a more urgent response waited, of at least ${contestedBytes} if priorities are ignored: they are ${found}`,
    ];
  });
  return problems.length ? { contradicts: problems } : "confirmed";
}
