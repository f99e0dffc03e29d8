/** Tests the account: what it says a cause of waiting costs, and what loads without that cause really saved. */
import type { Part } from "../../explain/parts.ts";
import { removedCause } from "../../explain/removed-cause.ts";
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
    /** Medians of both conditions' loads. */
    fromMs: from.pageLoadMs,
    toMs: to.pageLoadMs,
    /** The parts that this cause makes. */
    parts,
    /** What the first one's account says that the cause costs, and how much less of each part the second one's has. */
    predicted: partsOf((part) => (parts.includes(part) ? share * from.parts[part] : 0)),
    measured: partsOf((part) => from.parts[part] - to.parts[part]),
  };
}

export const predictedMs = ({ predicted }: Saving) => Object.values(predicted).reduce((sum, ms) => sum + ms, 0);

/** How far the time that the account leaves is from the time without the cause, as a share of the latter. */
export const errorOf = (saving: Saving) => (saving.fromMs - predictedMs(saving)) / saving.toMs - 1;

export const isLossy = ({ from }: Saving) => from.settings.link.lossPercent > 0;

/** Of some parts together, on average over the pairs: averages of parts add up. */
export function meansOf(savings: readonly Saving[], parts: readonly Part[]): { predicted: number; measured: number } {
  const mean = (side: "predicted" | "measured") =>
    parts.reduce((sum, part) => sum + savings.reduce((all, saving) => all + saving[side][part], 0), 0) / savings.length;
  return { predicted: mean("predicted"), measured: mean("measured") };
}
