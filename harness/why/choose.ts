/** Chooses causes: those whose removal moves the difference most, in loads that are not used again. */
import type { WhyPlan } from "../plan/why-plan.ts";
import { contains, type Measured, type MeasuredCause } from "./estimates.ts";

/** All combinations of five causes on both sides are 64 conditions. */
export const mostCauses = 5;

/** Loads of each condition that choose: the fewest that have an interval. */
export const loadsToChoose = 5;

/** How far a cause moves the difference, if that can be told from chance; else 0. */
const movedBy = ({ aloneMs, lastMs }: MeasuredCause): number =>
  Math.max(...[aloneMs, lastMs].map((one) => (isSure(one) ? Math.abs(one.value) : 0)));

const isSure = ({ interval }: Measured): boolean => interval !== null && !contains(interval, 0);

/** @returns the plan of the run that follows, with the causes that it compares and those that it leaves out */
export function chosenPlan(plan: WhyPlan, measured: readonly MeasuredCause[]): WhyPlan {
  const ranked = [...measured].sort((a, b) => movedBy(b) - movedBy(a)).filter((one) => movedBy(one) > 0);
  const chosen = new Set(ranked.slice(0, mostCauses).map(({ name }) => name));
  const { quick: _, choosesFor: __, ...kept } = plan;
  return {
    ...kept,
    causes: plan.causes.filter(({ name }) => chosen.has(name)),
    leftOut: plan.causes.flatMap(({ name }) => (chosen.has(name) ? [] : [name])),
  };
}
