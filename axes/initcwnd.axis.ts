import { z } from "zod";
import type { Evidence, WindowBounds } from "../schema/evidence.ts";
import { fullSegmentBytes } from "../schema/link.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { adaptive } from "../schema/settings.ts";
import { defineAxis, hidden, isInconclusive } from "./axis.ts";
import { isDisordered } from "./disorder.ts";
import { largestBodyOf } from "./expected.ts";
import { extraRttMsOf } from "./extra-rtt.ts";
import { isWithoutTcp, usedFlows } from "./flows.ts";
import { gonePackets } from "./gone.ts";
import { chosenFor, doubtsOfKnown, doubtsOfUnasked } from "./known-client.ts";
import { isAnsweredLate } from "./late-answers.ts";
import { linkOf, outlastsSynTimer } from "./link-values.ts";
import { provesQuicWindow, refusesQuicWindow } from "./quic-window.ts";
import { shown, wholeNumber } from "./values.ts";

type Window = number | typeof adaptive;

declare module "../schema/plan.ts" {
  interface AxisValues {
    initcwnd: Window;
  }
}

/** Confirmed by each connection's segments in flight, in the server's capture (observe/initial-window.ts). */
export const axis = defineAxis({
  name: "initcwnd",
  title:
    "the server's initial congestion window, in segments (over QUIC, in packets); adaptive: each server chooses it from the client's earlier connections",
  example: "10",
  follows: "handshake",
  field: "initcwnd",
  value: z.union([z.literal(adaptive), wholeNumber(1, 1000)], {
    error: ({ input }) => `${shown(input)} is neither a whole number from 1 to 1000 nor ${adaptive}`,
  }),
  usual: 10,
  label: (asked) => `initcwnd ${asked}`,
  id: (asked) => `iw${asked}`,
  sets: (asked) => ({ route: { server: { initcwnd: asked } } }),
  refuses: refusesQuicWindow,
  proves(asked, all, evidence, registries) {
    if (isWithoutTcp(all, evidence, registries) && asked !== adaptive)
      return provesQuicWindow(asked, all, evidence, registries);
    const doubts = asked === adaptive ? doubtsOfKnown(all, evidence, registries) : doubtsOfUnasked(evidence);
    const seen = usedFlows(evidence.packets.flows).flatMap(({ name, host, server: { initcwnd, hello } }) => {
      const segments = asked === adaptive ? chosenFor(host, evidence) : asked;
      return initcwnd ? [{ name, ...initcwnd, segments, retried: hello?.retry ?? false }] : [];
    });
    const windows = seen.filter(isPossible);
    const problems = [...doubts, ...windows.flatMap((window) => problemsOf(window, all.initrwnd))];
    if (problems.length) return { contradicts: problems };
    // A server sent exactly the configured number of segments first, or stopped at that number.
    if (windows.some(({ atLeast, atMost, segments }) => atLeast === segments || atMost === segments))
      return "confirmed";
    const notObservable = whyNotObservable(seen, all, evidence, registries);
    if (notObservable) return { notObservable };
    const verdict = hidden(evidence, "no connection's first flights reached the window");
    // No server stopped at its window: each may have had too little to send, depending on when requests arrive and how long responses are.
    return !isInconclusive(verdict) &&
      seen.some(({ atLeast }) => atLeast > 1) &&
      seen.every(({ atMost }) => atMost === null)
      ? { notObservable: "no server had enough to send at once to fill its window" }
      : verdict;
  },
});

/** Contradictory bounds show nothing: in older records a tail loss probe at a time-out was mistaken for a larger window. */
const isPossible = ({ atLeast, atMost }: WindowBounds) => atMost === null || atLeast <= atMost;

interface SeenWindow extends WindowBounds {
  name: string;
  /** The configured window. */
  segments: number;
  /** Whether the server sent a HelloRetryRequest first. */
  retried: boolean;
}

/** @param room how many segments fit into the client's receive window */
function problemsOf({ name, atLeast, atMost, segments }: SeenWindow, room: number): string[] {
  if (atLeast > segments) return [`${name}: initcwnd at least ${atLeast} instead of ${segments}, by its first flights`];
  // The client's receive window may also stop a server.
  if (atMost !== null && atMost < segments && atMost < room)
    return [`${name}: initcwnd at most ${atMost} instead of ${segments}, by its first flights`];
  return [];
}

/** Whether servers retransmitted although the link lost nothing, because their packets were only delayed. */
const isSentTwice = (evidence: Evidence): boolean =>
  gonePackets(evidence) === 0 &&
  usedFlows(evidence.packets.flows).some(({ server }) => server.retransmittedSegments > 0);

/** Why no connection of this condition can show its window; null if one can. */
function whyNotObservable(
  windows: SeenWindow[],
  all: ConditionValues,
  evidence: Evidence,
  registries: Registries,
): string | null {
  const { packets } = evidence;
  const link = linkOf(all, registries);
  const extraMsOf = extraRttMsOf(all, registries);
  const resent = usedFlows(packets.flows).some((flow) => isAnsweredLate(flow, packets, link, extraMsOf(flow.host)))
    ? `${outlastsSynTimer(link) ? "the RTT outlasts" : "answers took longer than"} the SYN timer (1 s): the SYN is retransmitted, and Linux does not report the initial window that it then uses`
    : null;
  if (windows.length === 0) return resent;
  const segments = Math.min(...windows.map((window) => window.segments));
  if (all.initrwnd < segments)
    return `the client's receive window has room for only ${all.initrwnd} segments; no connection began with more`;
  const between = windows
    .filter(isPossible)
    .find(({ atLeast, atMost, retried }) => (atLeast > 1 || retried) && atMost !== null);
  if (between)
    return `the window grew during the handshake, so the first flights show only that it began with ${between.atLeast} to ${between.atMost} segments`;
  if (resent) return resent;
  if (link.trace && isSentTwice(evidence))
    return "the link carried so little that packets waited for longer than TCP's timer: servers retransmitted some, and began with a window of one segment again";
  if (isDisordered(all, evidence))
    return "jitter reordered packets: in-flight segments show the window only until one arrives out of order";
  if (all.congestion === "bbr")
    return "BBR's window grows while unused, and BBR paces: the window is known only to be no larger than configured";
  const largestBytes = largestBodyOf(all, registries);
  if (largestBytes === null) return `no first response was long enough to fill ${segments} segments`;
  return largestBytes < segments * fullSegmentBytes
    ? `a window of ${segments} segments holds more than any response of the page`
    : null;
}
