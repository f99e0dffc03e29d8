/** What replays foretell of a change, beside what came of it: conditions of one run that differ in that alone. */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { median, quantile } from "simple-statistics";
import type { Condition } from "../../../schema/plan.ts";
import type { GoodLoad } from "../../../schema/records.ts";
import type { Trace } from "../../../schema/trace.ts";
import { type Intervention, interventionOf } from "../../explain/interventions.ts";
import { type LoadGraph, loadGraph } from "../../explain/load-events.ts";
import { otherWorldMs, ownWorldMs } from "../../explain/replay/world.ts";

export interface Foretold {
  /** What is changed, and from what to what; null for a replay with nothing changed: what the rules themselves miss. */
  intervention: Intervention | null;
  from: Condition;
  to: Condition;
  /** A full queue dropped packets of one of them. */
  overflows: boolean;
  /** Medians of the loads of each. */
  fromMs: number;
  foretoldMs: number;
  measuredMs: number;
  /** Where chance takes packets: between what eight of ten medians of so many draws lie as there were loads. */
  middleMs: { low: number; high: number } | null;
  /** By how much the median of so many loads differs through chance alone, as the draws have it: the median share. */
  chance: number | null;
}

interface Traced {
  condition: Condition;
  load: GoodLoad;
  trace: Trace;
}

/** @param measured page load times, milliseconds, of every load that counts, by condition: a run may keep the traces of some alone */
export function foretoldOf(loads: readonly Traced[], measured: ReadonlyMap<string, readonly number[]>): Foretold[] {
  const byCondition = new Map<Condition, (Traced & { graph: LoadGraph })[]>();
  for (const one of loads) {
    const graph = loadGraph(one.load, one.trace);
    if (graph) byCondition.set(one.condition, [...(byCondition.get(one.condition) ?? []), { ...one, graph }]);
  }
  const measuredMs = ({ id }: Condition) => median([...measured.get(id)!]);
  /** Of a load with nothing changed, itself. */
  const tracedMs = (condition: Condition) => median(byCondition.get(condition)!.map(({ load }) => load.pageLoadMs));
  const foretold = (from: Condition, to: Condition): Foretold[] => {
    const intervention = interventionOf(from, to);
    if (from !== to && !intervention) return [];
    const timesMs = byCondition
      .get(from)!
      .flatMap(({ graph }) =>
        from === to ? (ownWorldMs(graph, to.settings) ?? []) : otherWorldMs(graph, to.settings),
      );
    if (timesMs.length === 0) return [];
    const isDrawn = from !== to && to.settings.link.lossPercent > 0;
    const times = {
      fromMs: measuredMs(from),
      foretoldMs: median(timesMs),
      measuredMs: from === to ? tracedMs(to) : measuredMs(to),
    };
    const overflows = [from, to].some((one) => byCondition.get(one)!.some(({ load }) => overflowed(load)));
    return [
      {
        intervention,
        from,
        to,
        overflows,
        ...times,
        ...(isDrawn ? byChance(timesMs, measured.get(to.id)!.length) : { middleMs: null, chance: null }),
      },
    ];
  };
  const conditions = [...byCondition.keys()];
  return conditions.flatMap((from) => conditions.flatMap((to) => foretold(from, to)));
}

const overflowed = ({ evidence: { link } }: GoodLoad) =>
  [link.down, link.up].some((one) => (one.queueDroppedPackets ?? 0) > 0);

/** What draws say of the median of so many loads: of one load they say it themselves. */
function byChance(timesMs: readonly number[], loads: number) {
  const middle = median([...timesMs]);
  const mediansMs = loads === 1 ? [...timesMs] : redrawnMedians(timesMs, loads);
  const [low = 0, high = 0] = quantile(mediansMs, [0.1, 0.9]);
  return { middleMs: { low, high }, chance: median(mediansMs.map((ms) => Math.abs(ms / middle - 1))) };
}

const redraws = 1000;
function redrawnMedians(timesMs: readonly number[], loads: number): number[] {
  const random = xoroshiro128plus(1);
  const drawn = () => timesMs[uniformInt(random, 0, timesMs.length - 1)]!;
  return Array.from({ length: redraws }, () => median(Array.from({ length: loads }, drawn)));
}
