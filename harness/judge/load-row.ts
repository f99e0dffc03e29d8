/** What stays of a load once its line was judged: all that reports and the run's verdict need, without its evidence. */
import { metrics } from "../../metrics/registry.ts";
import type { Evidence } from "../../schema/evidence.ts";
import type { Condition } from "../../schema/plan.ts";
import type { FailedLoad, Lane, LoadRecord } from "../../schema/records.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { fingerprintsOf } from "./fingerprints.ts";
import { type Judgement, judgeLine, judgeLoad } from "./load.ts";
import { traceProblems } from "./traces.ts";

export interface LoadRow {
  /** Of loads.jsonl, counted from 1. */
  line: number;
  /** What the run's digest has of the line. */
  hash: string;
  condition: string;
  block: number;
  attempt: number;
  lane: number;
  ok: boolean;
  startedAt: string;
  wallMs: number;
  /** Of its evidence: numbers that no other load has; empty where it has none. */
  fingerprints: readonly number[];
  /** By metric (metrics/); null where it has none, or failed. */
  metrics: Record<string, number | null>;
  /** It failed, and its evidence shows link, servers and client at work: the page was not loaded by the time-out, or a transfer broke. */
  unfinished: boolean;
  /** null without evidence. */
  seen: Seen | null;
  /** By its own line and trace. Of a failed load: that its evidence shows no reason to fail. */
  judgement: Judgement;
  /** The trace that it names, and that file's own hash when it was judged; null where it has none. */
  trace: { hash: string; file: string | null } | null;
}

/** What of a load's evidence is summed up over a run. */
export type Seen = ReturnType<typeof seenOf>;

function seenOf({ link: { down, up }, packets, processor, timing }: Evidence, pageLoadMs: number | null) {
  const handshakesMs = [...packets.flows, ...(packets.quicFlows ?? [])].flatMap(({ handshakeMs }) => handshakeMs ?? []);
  const sums = packets.flows.map(({ server }) => server);
  const { requestToLastAckMs } = packets;
  const byEventMs = pageLoadMs === null || timing.requestStart === undefined ? null : pageLoadMs - timing.requestStart;
  return {
    /** What the shaper counted. */
    link: { down: countersOf(down), up: countersOf(up) },
    /** The quickest; null when none was seen whole. */
    handshakeMs: handshakesMs.length ? Math.min(...handshakesMs) : null,
    sentSegments: sums.reduce((sum, server) => sum + (server?.sentSegments ?? 0), 0),
    retransmittedSegments: sums.reduce((sum, server) => sum + (server?.retransmittedSegments ?? 0), 0),
    /** By how much page load time is longer by event than by packets, percent. */
    longerByEventPercent:
      requestToLastAckMs === null || byEventMs === null
        ? null
        : (100 * (byEventMs - requestToLastAckMs)) / requestToLastAckMs,
    /** CPU time of the lab's processes; on a virtual clock, the drawn processing times. */
    processorMs: processor.labMs,
  };
}

const countersOf = ({ sentPackets, lostPackets, queueDroppedPackets, queuedPackets }: Evidence["link"]["down"]) => ({
  sentPackets,
  lostPackets,
  queueDroppedPackets,
  queuedPackets,
});

const nothing = (): Judgement => ({ contradictions: [], inconclusive: {}, notObservable: {}, flags: [] });

/** Judges a run's records, each by itself. */
export class LineJudge {
  readonly #run: SavedRun;
  readonly #lanes: ReadonlyMap<number, Lane>;
  readonly #conditions: ReadonlyMap<string, Condition>;

  constructor(run: SavedRun) {
    this.#run = run;
    this.#lanes = new Map(run.lanes.map((lane) => [lane.lane, lane]));
    this.#conditions = new Map(conditionsOfRun(run.manifest).map((condition) => [condition.id, condition]));
  }

  judge(load: LoadRecord, line: number, hash: string): LoadRow {
    const { condition, block, attempt, lane, ok, startedAt, wallMs, evidence } = load;
    const values = Object.values(metrics).map(({ name, of }) => [name, load.ok ? of(load.evidence) : null]);
    const trace = load.ok && load.trace ? load.trace : null;
    return {
      ...{ line, hash, condition, block, attempt, lane, ok, startedAt, wallMs },
      fingerprints: evidence ? fingerprintsOf(evidence) : [],
      metrics: Object.fromEntries(values),
      unfinished: !load.ok && isUnfinished(load),
      seen: evidence ? seenOf(evidence, load.ok ? load.pageLoadMs : null) : null,
      judgement: this.#judgementOf(load),
      trace: trace === null ? null : { hash: trace, file: this.#run.traceFileHash(trace) },
    };
  }

  #judgementOf(load: LoadRecord): Judgement {
    const { manifest, traceOf } = this.#run;
    const condition = this.#conditions.get(load.condition);
    if (!condition) return nothing(); // its place in the run says what is wrong
    if (!load.ok) return { ...nothing(), contradictions: failsForNothing(load, condition, manifest) };
    const judgement = judgeLine(load, condition, manifest.registries, this.#lanes.get(load.lane));
    return { ...judgement, contradictions: [...judgement.contradictions, ...traceProblems(load, manifest, traceOf)] };
  }
}

/** What hangs or breaks in the lab itself leaves no such evidence. */
function isUnfinished({ reason, evidence }: FailedLoad): boolean {
  if (!evidence) return false;
  const { link, packets, failed } = evidence;
  const carried = link.down.sentPackets > 0 && link.up.sentPackets > 0 && packets.flows.length > 0;
  return carried && (reason.startsWith("timeout: not loaded after") || failed > 0);
}

/** Who calls a slow load a failed one must find fault with its evidence. */
function failsForNothing({ evidence, reason }: FailedLoad, condition: Condition, run: Manifest): string[] {
  if (!evidence || !reason.startsWith("evidence: ")) return [];
  const timeMs = evidence.timing.loadEventStart;
  return timeMs && judgeLoad(timeMs, evidence, condition, run.registries).contradictions.length
    ? []
    : ["it failed by its evidence, which contradicts nothing"];
}
