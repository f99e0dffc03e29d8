/** A condition that was not measured, foretold from a load of one that was: its time by parts, and how far such foretelling was off. */
import { median, quantile } from "simple-statistics";
import type { Condition } from "../../../schema/plan.ts";
import { accountOf, whyUntold } from "../../explain/account.ts";
import type { ExplainedLoad } from "../../explain/explained.ts";
import { changesBetween } from "../../explain/interventions.ts";
import { loadGraph } from "../../explain/load-events.ts";
import { partNames } from "../../explain/parts.ts";
import { replayAsLoad } from "../../explain/replay/as-load.ts";
import { otherWorlds } from "../../explain/replay/world.ts";
import { alignedTable } from "../tables/format.ts";
import type { PartsMs } from "./summary.ts";
import type { Tested } from "./tested.ts";

export interface Predicted {
  to: Condition;
  ms: number;
  /** Where chance takes packets: between what eight of ten draws lie. */
  middleMs: { low: number; high: number } | null;
  /** Of the draw in the middle. */
  parts: PartsMs;
  /** What differs from the condition that was measured. */
  kinds: string[];
}

/** @returns why it cannot be told, in words, if it cannot */
export function predictedOf({ load, trace, condition }: ExplainedLoad, to: Condition): Predicted | string {
  const graph = loadGraph(load, trace);
  if (!graph) return whyUntold(trace);
  const replays = [...otherWorlds(graph, to.settings)].sort((a, b) => a.ms - b.ms);
  const middle = replays[(replays.length - 1) >> 1];
  if (!middle) return "no replay of it comes to its end";
  const as = replayAsLoad(middle, load, trace, to.settings.link);
  const account = accountOf(as.load, as.trace);
  if (!account) return "its packets, as they would be, cannot be told apart";
  const timesMs = replays.map(({ ms }) => ms);
  const [low = 0, high = 0] = quantile(timesMs, [0.1, 0.9]);
  const middleMs = timesMs.length > 1 ? { low, high } : null;
  const { kinds } = changesBetween(condition.settings, to.settings);
  return { to, ms: median(timesMs), middleMs, parts: account.parts, kinds };
}

export function predictedMarkdown(
  { condition, load, account }: ExplainedLoad,
  predicted: readonly Predicted[],
  tested: Tested | null,
): string {
  const rows = [
    { id: condition.id, ms: load.pageLoadMs, of: "measured", parts: account?.parts },
    ...predicted.map(({ to, ms, middleMs, parts }) => ({
      id: to.id,
      ms,
      of: middleMs ? `${middleMs.low.toFixed(0)}–${middleMs.high.toFixed(0)}` : "foretold",
      parts,
    })),
  ];
  const columns = partNames.filter((part) => rows.some(({ parts }) => parts && parts[part] >= 0.5));
  const table = alignedTable(
    [
      ["condition", "", "load, ms", ...columns],
      ...rows.map(({ id, of, ms, parts }) => [
        id,
        of,
        ms.toFixed(0),
        ...columns.map((part) => (parts && parts[part] >= 0.5 ? parts[part].toFixed(0) : "")),
      ]),
    ],
    2,
  );
  return `${[
    `# Foretold from ${condition.id}, block ${load.block}`,
    "What browser and server waited for and took is that load's; the rest follows from the link and TCP's rules (docs/explain.md says which). Where chance takes packets the load is the median of draws, beside it between what eight of ten lie; the parts are those of the draw in the middle.",
    table,
    ...errors(predicted, tested),
  ].join("\n\n")}\n`;
}

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

/** How far off such foretelling was where it was tested. */
function errors(predicted: readonly Predicted[], tested: Tested | null): string[] {
  if (!tested) return ["How far off such foretelling is has not been tested."];
  const asked = (kind: string, lossy: boolean) =>
    predicted.some(({ kinds, to }) => kinds.includes(kind) && to.settings.link.lossPercent > 0 === lossy);
  const lines = tested.errors
    .filter(({ kind, lossy }) => asked(kind, lossy))
    .map(
      ({ kind, lossy, pairs, medianError, largestError }) =>
        `- ${kind}, ${lossy ? "with" : "without"} random loss: ${percent(medianError)} (median of ${pairs}), ${percent(largestError)} at most`,
    );
  const together = predicted.some(({ kinds }) => kinds.length > 1)
    ? " What is changed together was tested one by one."
    : "";
  const untested = predicted.flatMap(({ kinds, to }) => {
    const lossy = to.settings.link.lossPercent > 0;
    return kinds
      .filter((kind) => !tested.errors.some((one) => one.kind === kind && one.lossy === lossy))
      .map((kind) => `${kind} ${lossy ? "with" : "without"} random loss`);
  });
  const missing = untested.length ? [`Not tested: ${[...new Set(untested)].join(", ")}.`] : [];
  return [
    `How far off such foretelling was (./lab bench explain ${tested.run}):${together}`,
    lines.join("\n"),
    ...missing,
  ];
}
