/** Where a change helps, where it does not, and why: its gains in groups by the axes that tell them apart best. */
import type { GainView, RunView } from "../data/model.ts";
import { valueIn } from "./filters.tsx";
import { mean, median } from "./format.ts";

export type Known = GainView & { gain: number };

/** What takes more or less of the time with the change: a share of the time without it, on average over settings. */
export interface Reason {
  name: string;
  title: string;
  more: number;
}

export interface Finding {
  /** Of the axes that gains are grouped by. */
  values: (string | number | undefined)[];
  settings: number;
  gain: number;
  faster: number;
  slower: number;
  /** By how much they say, the first first; none without accounts of both sides. */
  reasons: Reason[];
  /** Connections that loads used without and with the change, medians, where they differ. */
  connections: [number, number] | null;
}

/** Closer to 1 than this is the same for a reader of times. */
export const same = 0.02;
/** More groups than this are no summary. */
const mostGroups = 12;
/** A change of less than this share of the time is no reason, nor is one much smaller than the first. */
const leastReason = 0.02;
const leastOfFirst = 0.2;

export const knownGains = (gains: readonly GainView[]): Known[] =>
  gains.filter((gain): gain is Known => gain.gain !== null);

/** One axis or two, by which the gains' logarithms differ most, as an analysis of variance has it; none where all have one value. */
export function tellingAxes(run: RunView, known: readonly Known[]): string[] {
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
  for (const gain of known) {
    const key = axes.map((axis) => valueIn(run, gain, axis)).join("\n");
    groups.set(key, [...(groups.get(key) ?? []), gain]);
  }
  return [...groups.values()];
}

/** The variance within groups, for each degree of freedom that the groups leave: more groups alone are no better. */
function unexplainedBy(groups: readonly Known[][], count: number): number {
  const within = groups.reduce((sum, group) => {
    const logs = group.map(({ gain }) => Math.log(gain));
    const middle = mean(logs);
    return sum + logs.reduce((squares, log) => squares + (log - middle) ** 2, 0);
  }, 0);
  return within / Math.max(1, count - groups.length);
}

export function findingsOf(run: RunView, known: readonly Known[], axes: readonly string[]): Finding[] {
  return grouped(run, known, axes).map((gains) => ({
    values: axes.map((axis) => valueIn(run, gains[0]!, axis)),
    settings: gains.length,
    gain: mean(gains.map(({ gain }) => gain)),
    faster: gains.filter(({ gain }) => gain > 1 + same).length,
    slower: gains.filter(({ gain }) => gain < 1 - same).length,
    reasons: reasonsOf(run, gains),
    connections: connectionsOf(run, gains),
  }));
}

const total = (ms: readonly number[]) => ms.reduce((sum, one) => sum + one, 0);

function reasonsOf(run: RunView, gains: readonly Known[]): Reason[] {
  const changes = gains.flatMap(({ base, option }) => {
    const [before, after] = [run.conditions[base!]!.parts, run.conditions[option!]!.parts];
    return before && after ? [before.map((ms, part) => (after[part]! - ms) / total(before))] : [];
  });
  if (changes.length === 0) return [];
  const reasons = run.parts
    .map(({ name, title }, part) => ({ name, title, more: mean(changes.map((change) => change[part]!)) }))
    .sort((a, b) => Math.abs(b.more) - Math.abs(a.more));
  const least = Math.max(leastReason, leastOfFirst * Math.abs(reasons[0]!.more));
  return reasons.filter(({ more }) => Math.abs(more) >= least).slice(0, 3);
}

function connectionsOf(run: RunView, gains: readonly Known[]): [number, number] | null {
  const [before, after] = (["base", "option"] as const).map((side) =>
    median(gains.flatMap((gain) => run.conditions[gain[side]!]!.measures.connections ?? [])),
  );
  return before == null || after == null || before === after ? null : [before, after];
}

/** The parts that the reasons name, each once. */
export const namedIn = (findings: readonly Finding[], { parts }: RunView): RunView["parts"] =>
  parts.filter(({ name }) => findings.some(({ reasons }) => reasons.some((reason) => reason.name === name)));

/** Of gains that cancel out: whether each is next to none, or some are not. */
export function verdictWord({ gain, settings, faster, slower }: Finding): string {
  if (gain > 1 + same) return "faster";
  if (gain < 1 - same) return "slower";
  return 2 * (faster + slower) <= settings ? "the same" : "mixed";
}

/** In how many of its settings it is what it is on average. */
export function howOften(finding: Finding): string {
  const { settings, faster, slower } = finding;
  const counts: Record<string, number> = { faster, slower, "the same": settings - faster - slower };
  const count = counts[verdictWord(finding)];
  if (settings === 1) return "";
  if (count === undefined) return `faster in ${faster}, slower in ${slower} of ${settings} settings`;
  return count === settings ? `in all ${settings} settings` : `in ${count} of ${settings} settings`;
}
