/** Finds where a change helps, where it does not, and why. Groups the change's speedups by the axes that separate them best. */
import { mean } from "simple-statistics";
import { type Part, partNames } from "../../explain/parts.ts";
import type { SpeedupView } from "../data/comparison-views.ts";
import type { RunView } from "../data/run-view.ts";
import { valueIn } from "./filters.tsx";
import { average, median } from "./format.ts";

export type Known = SpeedupView & { speedup: number };

/** A part of the load time, and what the change adds to it (below 0: saves): mean over scenarios, as a share of the load time without the change. */
export interface Reason {
  name: Part;
  more: number;
}

export type Finding = ReturnType<typeof findingsOf>[number];

/** A speedup that differs from 1 by at most this counts as the same time. */
export const same = 0.02;
/** The most groups into which speedups are divided. */
const mostGroups = 12;
/** A part counts as a reason if it changes by at least this share of the load time, and by `leastOfFirst` of the largest change. */
const leastReason = 0.02;
const leastOfFirst = 0.2;

/** A speedup of "at most 1.5" may mean faster, slower or neither. So a bound in the wrong direction decides nothing. */
export const isFaster = ({ speedup, bound }: Pick<Known, "speedup" | "bound">): boolean =>
  speedup > 1 + same && bound !== "at most";
export const isSlower = ({ speedup, bound }: Pick<Known, "speedup" | "bound">): boolean =>
  speedup < 1 - same && bound !== "at least";
export const isSame = ({ speedup, bound }: Known): boolean => bound === null && Math.abs(speedup - 1) <= same;

export const knownSpeedups = (speedups: readonly SpeedupView[]): Known[] =>
  speedups.filter((speedup): speedup is Known => speedup.speedup !== null);

/** Returns the one or two axes that explain most of the variance of the speedups' logarithms; none if no axis has from 2 to `mostGroups` values. */
export function separatingAxes(run: RunView, known: readonly Known[]): string[] {
  const varied = [...run.rows, ...run.columns].filter((axis) => grouped(run, known, [axis]).length > 1);
  const pairs = varied.flatMap((axis, i) => varied.slice(i + 1).map((other) => [axis, other]));
  const choices = [...pairs, ...varied.map((axis) => [axis])]
    .map((axes) => ({ axes, groups: grouped(run, known, axes) }))
    .filter(({ groups }) => groups.length <= mostGroups)
    .map(({ axes, groups }) => ({ axes, unexplained: unexplainedBy(groups, known.length) }));
  return choices.sort((a, b) => a.unexplained - b.unexplained)[0]?.axes ?? [];
}

function grouped(run: RunView, known: readonly Known[], axes: readonly string[]): Known[][] {
  const groups = new Map<string, Known[]>();
  for (const speedup of known) {
    const key = axes.map((axis) => valueIn(run, speedup, axis)).join("\n");
    groups.set(key, [...(groups.get(key) ?? []), speedup]);
  }
  return [...groups.values()];
}

/** Computes the sum of squares within groups per degree of freedom, so that a larger number of groups alone is no advantage. */
function unexplainedBy(groups: readonly Known[][], count: number): number {
  const within = groups.reduce((sum, group) => {
    const logs = group.map(({ speedup }) => Math.log(speedup));
    const middle = mean(logs);
    return sum + logs.reduce((squares, log) => squares + (log - middle) ** 2, 0);
  }, 0);
  return within / Math.max(1, count - groups.length);
}

export function findingsOf(run: RunView, known: readonly Known[], axes: readonly string[]) {
  return grouped(run, known, axes).map((speedups) => ({
    values: axes.map((axis) => valueIn(run, speedups[0]!, axis)),
    scenarios: speedups.length,
    mean: average(speedups),
    faster: speedups.filter(isFaster).length,
    slower: speedups.filter(isSlower).length,
    /** The three largest at most, the largest first; empty unless the parts of both sides are known. */
    reasons: reasonsOf(run, speedups),
    /** The median numbers of connections without and with the change; null if they are equal or unknown. */
    connections: connectionsOf(run, speedups),
  }));
}

const total = (ms: readonly number[]) => ms.reduce((sum, one) => sum + one, 0);

function reasonsOf(run: RunView, speedups: readonly Known[]): Reason[] {
  const changes = speedups.flatMap(({ baseline, option }) => {
    const [before, after] = [run.conditions[baseline!]!.parts, run.conditions[option!]!.parts];
    return before && after ? [before.map((ms, part) => (after[part]! - ms) / total(before))] : [];
  });
  if (changes.length === 0) return [];
  const reasons = partNames
    .map((name, part) => ({ name, more: mean(changes.map((change) => change[part]!)) }))
    .sort((a, b) => Math.abs(b.more) - Math.abs(a.more));
  const least = Math.max(leastReason, leastOfFirst * Math.abs(reasons[0]!.more));
  return reasons.filter(({ more }) => Math.abs(more) >= least).slice(0, 3);
}

function connectionsOf(run: RunView, speedups: readonly Known[]): [number, number] | null {
  const [before, after] = (["baseline", "option"] as const).map((side) =>
    median(speedups.flatMap((speedup) => run.conditions[speedup[side]!]!.measures.connections ?? [])),
  );
  return before == null || after == null || before === after ? null : [before, after];
}

/** The parts that occur as reasons, without repetitions. */
export const namedIn = (findings: readonly Finding[]): Part[] =>
  partNames.filter((name) => findings.some(({ reasons }) => reasons.some((reason) => reason.name === name)));

/** A mean near 1 is "the same" if at least half of the speedups are near 1; otherwise faster and slower scenarios cancel out ("mixed"). */
export function verdictWord({ mean: found, scenarios, faster, slower }: Finding): string {
  if (!found) return "mixed";
  if (isFaster({ speedup: found.value, bound: found.bound })) return "faster";
  if (isSlower({ speedup: found.value, bound: found.bound })) return "slower";
  return 2 * (faster + slower) <= scenarios ? "the same" : "mixed";
}

/** Describes in how many scenarios the verdict on the mean holds. */
export function howOften(finding: Finding): string {
  const { scenarios, faster, slower } = finding;
  const counts: Record<string, number> = { faster, slower, "the same": scenarios - faster - slower };
  const count = counts[verdictWord(finding)];
  if (scenarios === 1) return "";
  if (count === undefined) return `faster in ${faster}, slower in ${slower} of ${scenarios} scenarios`;
  return count === scenarios ? `in all ${scenarios} scenarios` : `in ${count} of ${scenarios} scenarios`;
}
