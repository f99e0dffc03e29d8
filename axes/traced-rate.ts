/** Checks that a direction's rate varied as in its trace, from the place in the trace where the link began. */
import type { Evidence } from "../schema/evidence.ts";
import { type Direction, directions, fullFrameBytes, packetsOff } from "../schema/link.ts";
import { bytesBetween, type RateStep, stepsBetween } from "../schema/rate-trace.ts";
import { tolerance } from "../schema/tolerances.ts";
import { type Verdict, verdictOf } from "./axis.ts";

/** By how many packets a step may differ from its trace, because a step carries whole packets (shaper/played-rates.ts). */
const roundedPackets = packetsOff + 1;

const isRateOf = ([ms, mbps]: RateStep, isMbps: number): boolean =>
  Math.abs(isMbps - mbps) <= (mbps * tolerance.ratePercent) / 100 + (roundedPackets * fullFrameBytes) / (125 * ms);

/**
 * Confirmed by the shaper's kernel, which reports the rate of the trace's step at the start and at the end of the load, and by packets that
 * queued behind each other: their bytes are what the trace carries in the time in which they arrived.
 */
export function provesTracedRate(name: Direction, evidence: Evidence, steps: readonly RateStep[]): Verdict {
  const { trace } = evidence.link;
  if (!trace) return { contradicts: [`${name}: the link's rate did not vary`] };
  const { offsetMs, readMs } = trace;
  return verdictOf([
    ...rateProblems(name, "began", evidence.link[name].atStart.rateMbps, steps, [offsetMs, offsetMs]),
    ...rateProblems(name, "ended", evidence.link[name].atEnd.rateMbps, steps, [
      offsetMs + readMs[0],
      offsetMs + readMs[1],
    ]),
    ...packetProblems(name, evidence, steps, offsetMs),
  ]);
}

/** Checks a rate that was read between `earliestMs` and `latestMs` of the trace. */
function rateProblems(
  name: Direction,
  when: "began" | "ended",
  isMbps: number,
  steps: readonly RateStep[],
  [earliestMs, latestMs]: readonly [number, number],
): string[] {
  const around = [...stepsBetween(steps, earliestMs - tolerance.lateMs, latestMs + tolerance.lateMs)];
  if (around.some(({ step }) => isRateOf(step, isMbps))) return [];
  const asked = [...new Set(around.map(({ step }) => step[1]))].join(" or ");
  return [`when the load ${when}, the link had ${name} rateMbps ${isMbps} instead of its trace's ${asked}`];
}

function packetProblems(
  name: Direction,
  { packets, processor }: Evidence,
  steps: readonly RateStep[],
  offsetMs: number,
): string[] {
  const run = packets.path[name].transit?.backToBack;
  if (!run) return [];
  if (run.fromMs === undefined) return [`${name}: the evidence lacks when its packets waited for one another`];
  const lateMs = tolerance.lateMs + (processor.pauses?.longestMs ?? 0);
  const [fromMs, toMs] = [offsetMs + run.fromMs, offsetMs + run.fromMs + run.ms];
  const most = bytesBetween(steps, fromMs - lateMs, toMs + lateMs);
  const least = toMs - fromMs > 2 * lateMs ? bytesBetween(steps, fromMs + lateMs, toMs - lateMs) : 0;
  const off = packetsOff * fullFrameBytes;
  const share = tolerance.ratePercent / 100;
  if (run.bytes >= least * (1 - share) - off && run.bytes <= most * (1 + share) + off) return [];
  return [
    `${name}: ${run.bytes} bytes that waited for one another came from ${fromMs.toFixed(0)} to ${toMs.toFixed(0)} ms of the trace, which carries ${least.toFixed(0)} to ${most.toFixed(0)} in that time`,
  ];
}

/** For a condition with constant rates: a contradiction if the link's rate varied at all. */
export const provesNoTrace = ({ link }: Evidence): Verdict =>
  verdictOf([
    ...(link.trace ? ["the link's rate followed a trace"] : []),
    ...directions.flatMap((name) =>
      link[name].atStart.rateMbps === link[name].atEnd.rateMbps
        ? []
        : [`${name}: the rate changed from ${link[name].atStart.rateMbps} to ${link[name].atEnd.rateMbps} Mb/s`],
    ),
  ]);
