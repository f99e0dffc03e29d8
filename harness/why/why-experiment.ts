/** Plans the experiment of `./lab why`: loads with two values of one axis (the two sides), with and without causes of waiting. */
import { labelOf, partsOf, textOf } from "../../axes/axis.ts";
import { axes, axisNamed } from "../../axes/registry.ts";
import { defaultMetric } from "../../metrics/registry.ts";
import { LabError, usageError } from "../../schema/errors.ts";
import type { AxisValue, Condition, ConditionValues, Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import { counted } from "../../schema/words.ts";
import { conditionOf } from "../plan/conditions.ts";
import type { Experiment } from "../plan/experiment.ts";
import { seedOfName } from "../plan/seeded.ts";
import { type Given, serverOf, usualValues, withoutDefaults, withTimeout } from "../plan/trial.ts";
import { type Question, removedSets, rowOf, type WhyPlan } from "../plan/why-plan.ts";
import { type Cause, hasCause } from "./cause.ts";

/** The experiment's name in all runs of `./lab why`; no file in experiments/ may have this name. */
export const whyName = "why";

/** @throws LabError (usage) unless exactly one axis has two values, and each other axis has one value */
export function questionOf(given: readonly Given[], registries: Registries): Question {
  const several = given.filter(({ values }) => values.length > 1);
  const [asked, ...more] = several;
  if (!asked)
    throw usageError(
      "there is nothing to compare: give one axis two values, as in --protocol h1,h2, and every other axis one value",
    );
  if (more.length)
    throw usageError(
      `the two sides must differ in one axis, but ${several.map(({ axis }) => `--${axis.name}`).join(" and ")} have several values: give only one axis several values`,
    );
  const { axis: compared, values } = asked;
  const [first, second, ...others] = values;
  if (others.length) throw usageError(`--${compared.name} has ${values.length} values: give two, one for each side`);
  if (first === second)
    throw usageError(`--${compared.name} ${textOf(compared, first!)} is given twice: give two different values`);
  const fixed = Object.fromEntries(
    given.flatMap(({ axis, values: [value] }) => (axis === compared ? [] : [[axis.name, value!]])),
  );
  const unnamed = { ...usualValues(given), ...serverOf(given, registries) };
  const usual = Object.fromEntries(Object.entries(unnamed).map(([name, [value]]) => [name, value!]));
  return { compared: compared.name, sides: [first!, second!], fixed: { ...usual, ...fixed } };
}

/** Like `questionOf`, for two conditions of a saved run. @throws LabError (usage) unless there are exactly two, which differ in one axis */
export function questionOfConditions(conditions: readonly Condition[], folder: string): Question {
  const [first, second] = conditions.map(({ values }): Values => values);
  if (!first || !second || conditions.length > 2)
    throw usageError(
      `${folder} has ${counted(conditions.length, "condition")} with these values, but two are needed, one for each side: select them with --only axis=value,…`,
    );
  const differing = axes.filter(({ name }) => first[name] !== second[name]);
  const [compared, ...others] = differing;
  if (!compared || others.length)
    throw usageError(
      `the two sides must differ in one axis, but they differ in ${differing.map(({ name }) => name).join(", ") || "no axis"}`,
    );
  const fixed = Object.fromEntries(axes.flatMap(({ name }) => (name === compared.name ? [] : [[name, first[name]!]])));
  return { compared: compared.name, sides: [first[compared.name]!, second[compared.name]!], fixed };
}

const wholeOf = ({ compared, sides, fixed }: Question, index: 0 | 1, registries: Registries): ConditionValues =>
  conditionOf({ ...fixed, [compared]: sides[index] }, registries).values;

/** Finds the causes that the sides have, and which of these cannot be removed. @param asked the requested causes; if empty, all causes */
export function causesOf(
  question: Question,
  asked: readonly Cause[],
  all: readonly Cause[],
  registries: Registries,
): Pick<WhyPlan, "causes" | "notRemoved"> {
  const found: WhyPlan["causes"] = [];
  const notRemoved: WhyPlan["notRemoved"] = [];
  for (const cause of asked.length ? asked : all) {
    const isCompared = isDifference(Object.keys(cause.removed), question, registries);
    const from = ([0, 1] as const).filter((index) => hasCause(cause, wholeOf(question, index, registries), registries));
    const [first, ...rest] = from;
    if (isCompared || first === undefined) {
      if (asked.length)
        throw usageError(
          `--causes ${cause.name}: ${isCompared ? `the sides differ in it (--${question.compared})` : "neither side has it"}`,
        );
      continue;
    }
    const reason = from.map((index) => whyNot(cause, question, index, registries)).find((why) => why !== null);
    if (reason) notRemoved.push({ name: cause.name, reason });
    else found.push({ name: cause.name, removed: cause.removed, from: [first, ...rest] });
  }
  if (found.length === 0)
    throw usageError(
      `no cause can be removed from these sides${notRemoved.map(({ name, reason }) => `; ${name}: ${reason}`).join("")}`,
    );
  return { causes: found, notRemoved };
}

/** Whether the sides differ in one of these axes, directly or through a compound axis such as a link. */
function isDifference(names: readonly string[], question: Question, registries: Registries): boolean {
  const parts: readonly string[] = partsOf(axisNamed(question.compared, whyName));
  const [first, second] = ([0, 1] as const).map((index): Values => wholeOf(question, index, registries));
  return names.some((name) => parts.includes(name) && first![name] !== second![name]);
}

/** Returns why a cause cannot be removed from a side; null if it can be removed. */
function whyNot(cause: Cause, question: Question, index: 0 | 1, registries: Registries): string | null {
  const { compared, sides, fixed } = question;
  const other = cause.cannot?.(wholeOf(question, index, registries), registries);
  if (other) return other;
  try {
    conditionOf({ ...fixed, [compared]: sides[index], ...cause.removed }, registries);
    return null;
  } catch (error) {
    if (error instanceof LabError) return error.message;
    throw error;
  }
}

export function whyExperiment(
  plan: WhyPlan,
  { loads, seed, timeout }: { loads: number; seed: number; timeout?: number | undefined },
  registries: Registries,
): ReturnType<typeof withTimeout> {
  const { compared, sides, fixed } = plan;
  const together = removedSets(plan).flatMap((removed) =>
    ([0, 1] as const).map((index) => rowOf(plan, wholeOf(plan, index, registries), index, removed)),
  );
  const rows = new Map(together.map((row) => [JSON.stringify(row), row]));
  const others = Object.entries(fixed).filter(([name]) => !(name in together[0]!));
  const [baseline, option] = sides.map((value) => ({ [compared]: value })) as [Values, Values];
  const title = titleOf(plan);
  const experiment: Experiment = {
    title,
    source: "",
    loads,
    seed,
    timeout: "",
    sharesLosses: { seed },
    metric: defaultMetric,
    axes: Object.fromEntries(others.map(([name, value]) => [name, [value]])),
    together: [...rows.values()],
    baseline,
    comparisons: { "1": { title: labelOf(axisNamed(compared, whyName), sides[1]), option } },
    tables: [{ id: "1", title, medians: ["1"] }],
  };
  const made = withTimeout(experiment, registries);
  const given = timeout === made.timeoutSeconds ? undefined : timeout;
  return { ...made, source: commandOf(plan, { loads, seed, timeout: given }) };
}

const bothSides = ({ compared, sides }: Question): string[] => {
  const axis = axisNamed(compared, whyName);
  return sides.map((side) => textOf(axis, side));
};

const titleOf = (question: Question): string => {
  const [first, second] = bothSides(question);
  const where = withoutDefaults(question.fixed).map(({ axis, text }) => `${axis.name} ${text}`);
  return `Why ${question.compared} ${second} differs from ${first}: ${where.join(", ")}`;
};

function commandOf(
  plan: WhyPlan,
  { loads, seed, timeout }: { loads: number; seed: number; timeout: number | undefined },
): string {
  const shared = withoutDefaults(plan.fixed);
  // A plan may have a link's rates and delays instead of the link's name. The command would then derive another seed, so it needs --seed.
  const named = usualValues([...shared, { axis: axisNamed(plan.compared, whyName) }]);
  const isSeedOfCommand = Object.keys(named).every((name) => name in plan.fixed) && seed === seedOf(plan);
  return [
    `./lab ${whyName} --${plan.compared} ${bothSides(plan).join(",")}`,
    ...shared.map(({ axis, text }) => `--${axis.name} ${text}`),
    `--causes ${plan.causes.map(({ name }) => name).join(",")} --loads ${loads}`,
    ...(plan.quick ? ["--quick"] : []),
    ...(timeout === undefined ? [] : [`--timeout "${timeout} s"`]),
    ...(isSeedOfCommand ? [] : [`--seed ${seed}`]),
  ].join(" ");
}

/** The default seed. Neither the order of options nor an explicit default value changes it. A run that only chooses causes has another seed. */
export const seedOf = ({ fixed }: Question): number => {
  const values = withoutDefaults(fixed).map(({ axis }): [string, AxisValue] => [axis.name, fixed[axis.name]!]);
  return seedOfName(JSON.stringify(values.sort(([a], [b]) => (a < b ? -1 : 1))));
};
