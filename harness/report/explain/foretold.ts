/** What replays foretell of a change, beside what came of it: conditions of one run that differ in that alone. */
import { median } from "simple-statistics";
import type { Condition } from "../../../schema/plan.ts";
import type { GoodLoad } from "../../../schema/records.ts";
import type { Trace } from "../../../schema/trace.ts";
import { interventionOf } from "../../explain/interventions.ts";
import { loadGraph } from "../../explain/load-events.ts";
import { replayedMs } from "../../explain/replay/replay.ts";
import { worldOf } from "../../explain/replay/world.ts";
import { interval95, redrawBlocks, resampledMedians } from "../../statistics/resample.ts";
import { alignedTable } from "../tables/format.ts";

export interface Foretold {
  intervention: string;
  from: Condition;
  to: Condition;
  /** Medians of the loads of each. */
  fromMs: number;
  foretoldMs: number;
  measuredMs: number;
}

interface Traced {
  condition: Condition;
  load: GoodLoad;
  trace: Trace;
}

export function foretoldOf(loads: readonly Traced[]): Foretold[] {
  const byCondition = new Map<Condition, Traced[]>();
  for (const one of loads) byCondition.set(one.condition, [...(byCondition.get(one.condition) ?? []), one]);
  const measuredMs = (condition: Condition) => median(byCondition.get(condition)!.map(({ load }) => load.pageLoadMs));
  return [...byCondition.keys()].flatMap((from) =>
    [...byCondition.keys()].flatMap((to) => {
      const intervention = from === to ? null : interventionOf(from, to);
      if (!intervention) return [];
      const foretoldMs = byCondition.get(from)!.flatMap(({ load, trace }) => {
        const graph = loadGraph(load, trace);
        const world = graph && worldOf(graph, from.settings.link, to.settings);
        return (world && replayedMs(graph, world)) ?? [];
      });
      if (foretoldMs.length === 0) return [];
      const times = { fromMs: measuredMs(from), foretoldMs: median(foretoldMs), measuredMs: measuredMs(to) };
      return [{ intervention, from, to, ...times }];
    }),
  );
}

const errorOf = ({ foretoldMs, measuredMs }: Foretold) => foretoldMs / measuredMs - 1;
const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

/** Of the median, by the bootstrap over pairs of conditions. */
function intervalOf(sizes: readonly number[]): string {
  const byPair = new Map(sizes.map((size, pair) => [pair, size]));
  const interval = interval95(resampledMedians(byPair, redrawBlocks(byPair.keys())), sizes.length);
  return interval ? `${percent(interval.low)} to ${percent(interval.high)}` : "too few";
}

export function foretoldMarkdown(all: readonly Foretold[]): string {
  const sizes = (some: readonly Foretold[]) => some.map((one) => Math.abs(errorOf(one)));
  const kinds = [...new Set(all.map(({ intervention }) => intervention))];
  const lossy = all.filter(({ from }) => from.settings.link.lossPercent > 0);
  const isFreed = ({ to }: Foretold) => to.settings.link.lossPercent === 0;
  const groups: [string, Foretold[]][] = [
    ...kinds.map((kind): [string, Foretold[]] => [kind, all.filter(({ intervention }) => intervention === kind)]),
    ["all without random loss", all.filter((one) => !lossy.includes(one))],
    ["random loss taken away", lossy.filter(isFreed)],
    ["random loss that stays", lossy.filter((one) => !isFreed(one))],
  ];
  return `${[
    `# What replays foretell, and what came: ${all.length} interventions`,
    "Error: of the foretold page load time, against the measured one.",
    alignedTable(
      [
        ["intervention", "number", "median error", "95% interval", "largest"],
        ...groups
          .filter(([, some]) => some.length > 0)
          .map(([name, some]) => [
            name,
            `${some.length}`,
            percent(median(sizes(some))),
            intervalOf(sizes(some)),
            percent(Math.max(...sizes(some))),
          ]),
      ],
      1,
    ),
    alignedTable(
      [
        ["condition", "intervention", "was, ms", "foretold, ms", "measured, ms", "error"],
        ...all.map((one) => [
          one.from.id,
          one.intervention,
          ...[one.fromMs, one.foretoldMs, one.measuredMs].map((ms) => ms.toFixed(0)),
          percent(errorOf(one)),
        ]),
      ],
      2,
    ),
  ].join("\n\n")}\n`;
}
