/** Chooses the causes whose removal changes the difference most. The loads that decide this are not used again for the answer. */
import { mostCauses, type WhyPlan } from "../plan/why-plan.ts";
import type { MeasuredCause } from "./estimates.ts";

/** How many loads of each condition are made to choose causes: the smallest number that gives an interval. */
export const loadsToChoose = 5;

/** How much the difference changes if a cause is removed alone or after all others, whichever is more. A change that may be chance counts, too. */
const movedBy = ({ aloneMs, lastMs }: MeasuredCause): number =>
  Math.max(Math.abs(aloneMs.value), Math.abs(lastMs.value));

/** @returns the plan of the next run, which measures the chosen causes and lists the others in `leftOut` */
export function chosenPlan(plan: WhyPlan, measured: readonly MeasuredCause[]): WhyPlan {
  const ranked = [...measured].sort((a, b) => movedBy(b) - movedBy(a));
  const chosen = new Set(ranked.slice(0, mostCauses).map(({ name }) => name));
  const { quick: _, choosesFor: __, ...kept } = plan;
  return {
    ...kept,
    causes: plan.causes.filter(({ name }) => chosen.has(name)),
    leftOut: plan.causes.flatMap(({ name }) => (chosen.has(name) ? [] : [name])),
  };
}
