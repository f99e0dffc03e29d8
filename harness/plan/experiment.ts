import { existsSync, readdirSync } from "node:fs";
import { z } from "zod";
import { textOf } from "../../axes/axis.ts";
import { readRegistries } from "../../axes/registries.ts";
import { allAxes } from "../../axes/registry.ts";
import { addedPath } from "../../hosts/added.ts";
import { defaultMetric, speedupMetrics } from "../../metrics/registry.ts";
import { usageError } from "../../schema/errors.ts";
import { type AxisValue, sharedLossesSchema, type Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import { parseQuantity } from "../../schema/units.ts";
import { readYamlFile } from "../../schema/yaml-file.ts";
import { comparisonProblems } from "./comparison-problems.ts";
import { byAxis, comparisonsSchema, type Problem, tablesSchema } from "./comparisons.ts";
import { figureProblems, figuresSchema } from "./figures.ts";
import { valuesInRange } from "./value-range.ts";

const defaultDirectory = "experiments";

export const experimentSchema = z.strictObject({
  title: z.string(),
  source: z.string(),
  /** Loads of each condition, one in each block. */
  loads: z.int().min(1).max(1000),
  /** The seed of the order of loads in each block, and of all random numbers of the virtual clock. */
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1),
  /** The time-out of a load. A load that takes longer has no load time, and counts as longer than the time-out. */
  timeout: z.string(),
  /** Gives a block's loads the same random losses, so that their differences scatter less. Only the virtual clock can do this. */
  sharesLosses: sharedLossesSchema.optional(),
  /** The metric that speedups compare. */
  metric: z.enum(speedupMetrics).default(defaultMetric),
  /** The axes that vary: each combination of their values is a condition. */
  axes: byAxis((value) => z.array(value).min(1)),
  /** Axes that vary together: each row is one combination of their values, and no other combinations are loaded. */
  together: z
    .array(byAxis((value) => value))
    .min(1)
    .optional(),
  baseline: comparisonsSchema.shape.baseline,
  comparisons: comparisonsSchema.shape.comparisons,
  /** What `./lab tables` prints. */
  tables: tablesSchema,
  /** What `./lab figures` draws. */
  figures: figuresSchema.optional(),
});

export type Experiment = z.infer<typeof experimentSchema>;

/** Replaces each range, such as "10..1000", by its values. */
const withRanges = (given: unknown, value: z.ZodType<AxisValue>, context: z.RefinementCtx): unknown =>
  Array.isArray(given)
    ? given.flatMap((one: unknown, i) => {
        if (typeof one !== "string" || value.safeParse(one).success) return [one];
        try {
          return valuesInRange(value, one) ?? [one];
        } catch (error) {
          context.addIssue({ code: "custom", path: [i], message: (error as Error).message });
          return [one];
        }
      })
    : given;

/** The schema of a file in experiments/, which may leave out some keys. The default for `tables` is one table with the medians of all comparisons. */
export const experimentFile = experimentSchema
  .omit({ sharesLosses: true })
  .extend({
    axes: byAxis((value) => z.preprocess((given, context) => withRanges(given, value, context), z.array(value).min(1))),
    source: experimentSchema.shape.source.default("this lab"),
    seed: experimentSchema.shape.seed.default(1),
    timeout: experimentSchema.shape.timeout.default("120 s"),
    tables: tablesSchema.optional(),
  })
  .transform(({ tables, ...said }): Experiment => {
    const medians = Object.keys(said.comparisons) as [string, ...string[]];
    return { ...said, tables: tables ?? [{ id: "1", title: said.title, medians }] };
  });

/** @param directory by default both the lab's own folder and the folder of the experiment whose path the user gave */
export function listExperiments(directory?: string): string[] {
  if (directory === undefined) {
    const added = addedPath(defaultDirectory);
    return [...listExperiments(defaultDirectory), ...(added === undefined ? [] : listExperiments(added))];
  }
  return readdirSync(directory)
    .filter((file) => /^[\w-]+\.yml$/.test(file))
    .map((file) => file.replace(/\.yml$/, ""))
    .sort();
}

/** @throws LabError (usage) for an unknown name or a file that is not an experiment */
export function readExperiment(name: string, directory?: string): Experiment & { timeoutSeconds: number } {
  const names = listExperiments(directory);
  if (!names.includes(name))
    throw usageError(`unknown experiment "${name}"; known: ${names.join(", ")}; or give the path of one, NAME.yml`);
  const path = pathOf(`${name}.yml`, directory);
  const raw = readYamlFile(path, experimentFile);
  const problems = experimentProblems(raw, readRegistries());
  if (problems.length)
    throw usageError(problems.map(({ path: place, message }) => `${path}: ${place.join(".")}: ${message}`).join("\n"));
  return { ...raw, timeoutSeconds: parseQuantity("timeoutSeconds", raw.timeout, `${path}: timeout`) };
}

const pathOf = (file: string, directory = defaultDirectory): string => {
  const own = `${directory}/${file}`;
  return existsSync(own) ? own : (addedPath(`${defaultDirectory}/${file}`) ?? own);
};

/** Finds problems that the schema cannot find: unknown names, values that are given twice, wrong references. */
export const experimentProblems = (experiment: Experiment, registries: Registries): Problem[] => [
  ...axisProblems(experiment, registries),
  ...comparisonProblems(experiment),
  ...figureProblems(experiment, experiment.figures ?? []),
];

function axisProblems({ axes, together = [] }: Experiment, registries: Registries) {
  const problems: Problem[] = [];
  const report = (path: Problem["path"], message: string) => problems.push({ path, message });
  const namesOf = (row: Values) => Object.keys(row).sort().join(", ");
  const look = (path: (string | number)[], name: string, value: AxisValue) => {
    const known = allAxes.find((axis) => axis.name === name)?.known?.(registries);
    if (known && !known.includes(value)) report(path, `unknown ${name} "${value}"; known: ${known.join(", ")}`);
  };
  for (const [name, values] of Object.entries(axes)) {
    const axis = allAxes.find((one) => one.name === name)!;
    for (const value of new Set(values)) {
      look(["axes", name], name, value);
      if (values.indexOf(value) !== values.lastIndexOf(value))
        report(["axes", name], `"${textOf(axis, value)}" is given twice`);
    }
  }
  together.forEach((row, i) => {
    for (const [name, value] of Object.entries(row)) {
      look(["together", i, name], name, value);
      if (name in axes) report(["together", i, name], `${name} is in axes already`);
    }
    if (namesOf(row) !== namesOf(together[0]!))
      report(["together", i], `names ${namesOf(row) || "nothing"}; the first row names ${namesOf(together[0]!)}`);
  });
  return problems;
}
