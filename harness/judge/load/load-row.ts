/** A judged load without its evidence. It has only what reports and the run's verdict need. */
import { quickestHandshakeMs } from "../../../metrics/handshake.metric.ts";
import { keptMetrics } from "../../../metrics/registry.ts";
import { segmentsIn } from "../../../metrics/retransmitted.metric.ts";
import type { Evidence } from "../../../schema/evidence.ts";
import type { Cause } from "../../../schema/failure.ts";
import type { Condition } from "../../../schema/plan.ts";
import { chunkOf, type GoodLoad, type Lane, type LoadRecord } from "../../../schema/records.ts";
import { backgroundDelayMs, traceOffsetMs } from "../../plan/seeded.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import type { SavedRun } from "../../record/records.ts";
import { traceProblems } from "../trace/traces.ts";
import { accepted, unfinishedProblems, withEvidence } from "./failed-load.ts";
import { fingerprintsOf } from "./fingerprints.ts";
import { keyShareProblems } from "./key-share.ts";
import { type Judgement, judgeLine } from "./load.ts";
import { isRefused, type Observed, observedBy } from "./observed.ts";

export interface LoadRow {
  /** Line number in loads.jsonl, from 1. */
  line: number;
  /** The line's hash, which is part of the run's digest. */
  hash: string;
  condition: string;
  block: number;
  attempt: number;
  chunk: number;
  ok: boolean;
  reason: string | null;
  cause: Cause | null;
  startedAt: string;
  wallMs: number;
  /** Hashes of the evidence, which reveal copies of the load (fingerprints.ts); empty without evidence. */
  fingerprints: readonly number[];
  /** Metric (metrics/) -> value; null if the load has no value, or failed before the load event. */
  metrics: Record<string, number | null>;
  /** All values of each metric that has several values in a load. */
  each: Record<string, number[]>;
  /** Metric -> the lower bound of its value, for metrics whose value the load does not show. */
  atLeast: Record<string, number>;
  observed: Observed;
  refused: boolean;
  seen: Seen | null;
  /** The judgement from the load's own line and trace; empty for a failed load that does not count. */
  judgement: Judgement;
  /** The hash of its trace, and the hash that the trace's file had when the load was judged; null without a trace. */
  trace: { hash: string; file: string | null } | null;
}

/** The parts of a load's evidence that are aggregated over a run. */
export type Seen = ReturnType<typeof seenOf>;

function seenOf(evidence: Evidence, pageLoadMs: number | null) {
  const { link, packets, processor, timing, recordedUntil } = evidence;
  const { sent, again } = segmentsIn(packets.flows);
  const { requestToLastAckMs } = packets;
  // If recording went on after the load event, the last packets do not show when the load event was.
  const isCompared = pageLoadMs !== null && timing.requestStart !== undefined && recordedUntil === undefined;
  const byEventMs = isCompared ? pageLoadMs - timing.requestStart! : null;
  return {
    link: { down: countersOf(link.down), up: countersOf(link.up) },
    /** The quickest handshake; null if no handshake was fully captured. */
    handshakeMs: quickestHandshakeMs(packets),
    sentSegments: sent,
    retransmittedSegments: again,
    /** By how many percent the time to the load event exceeds the time to the last acknowledgment; null if they are not comparable. */
    longerByEventPercent:
      requestToLastAckMs === null || byEventMs === null
        ? null
        : (100 * (byEventMs - requestToLastAckMs)) / requestToLastAckMs,
    /** CPU time of the lab's processes; on a virtual clock, the random processing times. */
    processorMs: processor.labMs,
  };
}

const countersOf = ({ sentPackets, lostPackets, queueDroppedPackets, queuedPackets }: Evidence["link"]["down"]) => ({
  sentPackets,
  lostPackets,
  queueDroppedPackets,
  queuedPackets,
});

type Placed = Pick<GoodLoad, "block" | "evidence">;

/** Checks that a link with a rate trace began at the position in this trace that follows from the run's seed and the block. */
function offsetProblems({ block, evidence }: Placed, { settings }: Condition, seed: number): string[] {
  const { trace } = settings.link;
  if (!trace || !evidence.link.trace) return []; // the axis reports missing evidence
  const askedMs = traceOffsetMs(trace, seed, block);
  const { offsetMs } = evidence.link.trace;
  return offsetMs === askedMs
    ? []
    : [`its link began at ${offsetMs} ms of its trace; the run's seed gives ${askedMs} ms`];
}

/** Checks that a load beside background flows began at the time that follows from the run's seed and the block. */
function delayProblems({ block, evidence }: Placed, { settings }: Condition, seed: number): string[] {
  if (!settings.background || !evidence.background) return []; // the axis reports missing evidence
  const askedMs = backgroundDelayMs(seed, block);
  const { drawnMs } = evidence.background;
  return drawnMs === askedMs
    ? []
    : [
        `it began ${drawnMs} ms after the end of the step in which its background settled; the run's seed gives ${askedMs} ms`,
      ];
}

const nothing = (): Judgement => ({ contradictions: [], inconclusive: {}, notObservable: {}, flags: [] });

export class LineJudge {
  readonly #run: SavedRun;
  readonly #lanes: ReadonlyMap<number, Lane>;
  readonly #conditions: ReadonlyMap<string, Condition>;

  constructor(run: SavedRun) {
    this.#run = run;
    this.#lanes = new Map(run.lanes.map((lane) => [chunkOf(lane), lane]));
    this.#conditions = new Map(conditionsOfRun(run.manifest).map((condition) => [condition.id, condition]));
  }

  judge(load: LoadRecord, line: number, hash: string): LoadRow {
    const { condition, block, attempt, ok, startedAt, wallMs, evidence } = load;
    const refused = !load.ok && isRefused(load);
    const observed = observedBy(load, this.#conditions.get(condition), this.#run.manifest);
    const isLoaded = load.ok || refused;
    const shown = isLoaded ? evidence : undefined;
    const metrics = Object.fromEntries(keptMetrics.map(({ name, of }) => [name, shown ? of(shown) : null]));
    const atLeast = keptMetrics.flatMap(({ name, atLeast }): [string, number][] => {
      const least = shown && metrics[name] === null ? atLeast?.(shown) : null;
      return least == null ? [] : [[name, least]];
    });
    const each = keptMetrics.flatMap(({ name, each }): [string, number[]][] =>
      shown && each ? [[name, each(shown)]] : [],
    );
    const trace = load.ok && load.trace ? load.trace : null;
    return {
      ...{ line, hash, condition, block, attempt, chunk: chunkOf(load), ok, startedAt, wallMs },
      reason: load.ok ? null : load.reason,
      cause: load.ok ? null : load.cause,
      fingerprints: evidence ? fingerprintsOf(evidence) : [],
      metrics,
      each: Object.fromEntries(each),
      atLeast: Object.fromEntries(atLeast),
      observed,
      refused,
      seen: evidence ? seenOf(evidence, load.ok ? load.pageLoadMs : null) : null,
      judgement: this.#judgementOf(load, observed),
      trace: trace === null ? null : { hash: trace, file: this.#run.traceFileHash(trace) },
    };
  }

  #judgementOf(load: LoadRecord, observed: Observed): Judgement {
    const { manifest, traceOf } = this.#run;
    const condition = this.#conditions.get(load.condition);
    if (!condition || observed === null) return nothing(); // places.ts reports a condition that is not in the plan
    const lane = this.#lanes.get(chunkOf(load));
    const { registries, seed, timeoutSeconds } = manifest;
    if (!load.ok && observed === "longer") {
      const counted = withEvidence(load);
      const contradictions = [
        ...unfinishedProblems(counted, condition, timeoutSeconds, lane),
        ...offsetProblems(counted, condition, seed),
        ...delayProblems(counted, condition, seed),
      ];
      return { ...nothing(), contradictions };
    }
    const counted = load.ok ? load : accepted(withEvidence(load));
    const judgement = judgeLine(counted, condition, registries, lane);
    // On the virtual clock computing takes no time, so nothing is CPU-bound; `./lab explain` flags random reaction times.
    const flags = manifest.clock === "virtual" ? [] : judgement.flags;
    const more = [
      ...keyShareProblems(counted.evidence, condition, registries),
      ...(load.ok ? traceProblems(load, condition, manifest, traceOf) : []),
      ...offsetProblems(counted, condition, seed),
      ...delayProblems(counted, condition, seed),
    ];
    return { ...judgement, flags, contradictions: [...judgement.contradictions, ...more] };
  }
}
