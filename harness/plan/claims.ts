/** The schema of experiments/NAME.claims.yml: published and own claims about an experiment, with the quantities that decide them. */
import { existsSync, readdirSync } from "node:fs";
import { z } from "zod";
import { addedPath } from "../../hosts/added.ts";
import { metrics } from "../../metrics/registry.ts";
import { usageError } from "../../schema/errors.ts";
import { readYamlFile } from "../../schema/yaml-file.ts";
import { claimRule, ruleExamples } from "./claim-rule.ts";
import { axisName, axisValuesSchema, comparisonId, filterSchema, statisticName, text } from "./comparisons.ts";
import { type Published, publishedSchema } from "./published.ts";

/** How the numbers of several scenarios are combined. `pool`: the statistic over all their loads together. */
const overSchema = z.union([
  z.enum(["geometric mean", "mean", "maximum", "minimum", "pool"]),
  z.strictObject({ count: z.strictObject({ atLeast: z.number() }) }),
]);
type Over = z.infer<typeof overSchema>;
export const isCount = (over: Over): over is Exclude<Over, string> => typeof over === "object";

export const leafSchema = z
  .strictObject({
    /** A metric's value in each condition, or how a comparison changes it; a speedup is baseline / option, a difference is baseline - option. */
    of: z.enum(["value", "speedup", "savedPercent", "difference"]).default("value"),
    /** The id of a comparison in the experiment, several ids, or the two sides of a comparison. */
    comparison: z
      .union([
        comparisonId,
        z.array(comparisonId).nonempty(),
        z.strictObject({ baseline: axisValuesSchema, option: axisValuesSchema }),
      ])
      .optional(),
    metric: z.enum(Object.keys(metrics)).optional(),
    /** How a condition's loads are summarised; several statistics give several numbers. */
    statistic: z.union([statisticName, z.array(statisticName).nonempty()]).default("median"),
    where: filterSchema.optional(),
    /** The quantity then has a number for each value of this axis. */
    by: axisName.optional(),
    /** How the scenarios' numbers are combined: by default the geometric mean, for differences the arithmetic mean. */
    over: overSchema.optional(),
    /** Another run of the experiment whose loads are used, by its folder in results/. */
    run: text.optional(),
  })
  .transform((leaf) => ({ ...leaf, over: leaf.over ?? (leaf.of === "difference" ? "mean" : "geometric mean") }));
export type Leaf = z.infer<typeof leafSchema>;

/** One number, or the ratio or difference of two. */
const quantitySchema = z.union([
  leafSchema,
  z.strictObject({ ratio: z.tuple([leafSchema, leafSchema]) }),
  z.strictObject({ difference: z.tuple([leafSchema, leafSchema]) }),
]);
export type Quantity = z.infer<typeof quantitySchema>;

export const leavesOf = (quantity: Quantity): readonly Leaf[] =>
  "ratio" in quantity ? quantity.ratio : "difference" in quantity ? quantity.difference : [quantity];

/** Whether a quantity names no run, so that it can be computed from any run of the experiment. */
export const isAboutOneRun = (quantity: Quantity): boolean => leavesOf(quantity).every(({ run }) => run === undefined);

export const claimSchema = z
  .strictObject({
    /** The claim, as a sentence. */
    says: text,
    /** The document and the place in the document. Without a source, the claim is this lab's own. */
    source: z.strictObject({ document: text, at: text }).optional(),
    /** The published number; if several numbers are measured: the published numbers, by the keys of the measured ones. */
    published: z.union([z.number(), z.record(z.string(), z.number())]).optional(),
    /** The measured number that decides the claim. */
    quantity: quantitySchema,
    /** The limits within which the claim holds. Without limits, the number is printed without a verdict. */
    holds: z.string().refine(claimRule, `is not a rule: ${ruleExamples}`).optional(),
  })
  .refine(({ published, source }) => published === undefined || source, "a published value needs its source")
  .refine(
    ({ quantity }) => leavesOf(quantity).length === 1 || leavesOf(quantity).every(({ of }) => of !== "savedPercent"),
    "savedPercent cannot be in a ratio or difference; speedup can",
  );
export type Claim = z.infer<typeof claimSchema>;

export const claimsFile = z.strictObject({
  /** The folder in results/ that the numbers come from. */
  run: text.optional(),
  /** A run of the same experiment on the other clock, for `./lab score`. */
  otherClock: text.optional(),
  /** The published tables, which the experiment's tables print in parentheses; or the name of an experiment whose claims have these tables. */
  published: z.union([publishedSchema, text]).optional(),
  /** The claims by name. Instead of a claim, give the name of another experiment: its claim of the same name is then tested here, too. */
  claims: z.record(z.string().regex(/^[\w-]+$/), z.union([claimSchema, text])).default({}),
});

type ClaimsFile = z.infer<typeof claimsFile>;

export interface ClaimsOfExperiment extends Omit<ClaimsFile, "published" | "claims"> {
  experiment: string;
  published?: Published | undefined;
  claims: Record<string, Claim>;
}

const folder = "experiments";
/** Returns the path of the claims' file in the lab or, if there is none, next to the experiment whose path the user gave. */
const pathOf = (experiment: string) => {
  const own = `${folder}/${experiment}.claims.yml`;
  return existsSync(own) ? own : (addedPath(own) ?? own);
};

/** @returns null if the experiment has no claims */
export function readClaims(experiment: string): ClaimsOfExperiment | null {
  if (!existsSync(pathOf(experiment))) return null;
  const { published, claims, ...rest } = readYamlFile(pathOf(experiment), claimsFile);
  /** Takes an entry from another experiment's file, if this file names that experiment. */
  const taken = <T extends object>(
    what: T | string | undefined,
    key: string,
    from: (file: ClaimsFile) => T | string | undefined,
  ) => {
    if (typeof what !== "string") return what;
    const theirs = existsSync(pathOf(what)) ? from(readYamlFile(pathOf(what), claimsFile)) : undefined;
    if (typeof theirs !== "object")
      throw usageError(
        `${pathOf(experiment)}: ${key}: ${pathOf(what)} lacks this entry, or takes it from another file`,
      );
    return theirs;
  };
  return {
    experiment,
    ...rest,
    published: taken(published, "published", (file) => file.published),
    claims: Object.fromEntries(
      Object.entries(claims).map(([name, claim]) => [
        name,
        taken(claim, `claims: ${name}`, (file) => file.claims[name])!,
      ]),
    ),
  };
}

export const allClaims = (): ClaimsOfExperiment[] =>
  [folder, addedPath(folder)]
    .flatMap((one) => (one === undefined ? [] : readdirSync(one)))
    .flatMap((file) => /^([\w-]+)\.claims\.yml$/.exec(file)?.[1] ?? [])
    .sort()
    .map((experiment) => readClaims(experiment)!);
