/** Tests the parts: compares the time that they attribute to a cause of waiting with the time that loads without this cause saved. */
import type { Part } from "../parts.ts";
import { removedCause } from "../removed-cause.ts";
import { type ExplainedCondition, partsOf } from "./summary.ts";

export type Saving = NonNullable<ReturnType<typeof savingOf>>;

export const savingsOf = (conditions: readonly ExplainedCondition[]): Saving[] =>
  conditions.flatMap((from) => conditions.flatMap((to) => savingOf(from, to) ?? []));

function savingOf(from: ExplainedCondition, to: ExplainedCondition) {
  const removed = removedCause(from.condition, to.condition);
  if (!removed) return null;
  const { cause, parts, share } = removed;
  return {
    cause,
    from: from.condition,
    to: to.condition,
    /** Median page load times of both conditions. */
    fromMs: from.pageLoadMs,
    toMs: to.pageLoadMs,
    /** The parts that this cause explains. */
    parts,
    /** The time that the first condition's parts attribute to the cause, and how much shorter each part is in the second. */
    predicted: partsOf((part) => (parts.includes(part) ? share * from.parts[part] : 0)),
    measured: partsOf((part) => from.parts[part] - to.parts[part]),
  };
}

export const predictedMs = ({ predicted }: Saving) => Object.values(predicted).reduce((sum, ms) => sum + ms, 0);

/** The error of the predicted time, as a share of the measured time without the cause. */
export const errorOf = (saving: Saving) => (saving.fromMs - predictedMs(saving)) / saving.toMs - 1;

export const isLossy = ({ from }: Saving) => from.settings.link.lossPercent > 0;

/** The sum of some parts, as a mean over the pairs, because means of parts add up. */
export function meansOf(savings: readonly Saving[], parts: readonly Part[]): { predicted: number; measured: number } {
  const mean = (side: "predicted" | "measured") =>
    parts.reduce((sum, part) => sum + savings.reduce((all, saving) => all + saving[side][part], 0), 0) / savings.length;
  return { predicted: mean("predicted"), measured: mean("measured") };
}
