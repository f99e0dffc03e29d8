/** experiments/NAME.claims.yml: what others published of an experiment and what we conclude, with the numbers that decide it. */
import { existsSync, readdirSync } from "node:fs";
import { z } from "zod";
import { metrics } from "../../metrics/registry.ts";
import { readYamlFile } from "../../schema/yaml-file.ts";
import { axisName, axisValuesSchema, comparisonId, filterSchema, statisticName, text } from "./comparisons.ts";
import { publishedSchema } from "./published.ts";

/** How the scenarios' numbers become one. `pool`: the statistic of all their loads together. */
const overs = ["geometric mean", "mean", "maximum", "minimum", "count at least 1", "count at least 2", "pool"] as const;

const leafSchema = z.strictObject({
  /** A metric's own value in each condition, or what a comparison makes of it: speedup is baseline / option. */
  of: z.enum(["value", "speedup", "savedPercent", "difference"]).default("value"),
  /** One of the experiment's by its id, several by theirs, or both sides in full. */
  comparison: z
    .union([
      comparisonId,
      z.array(comparisonId).nonempty(),
      z.strictObject({ baseline: axisValuesSchema, option: axisValuesSchema }),
    ])
    .optional(),
  metric: z.enum(Object.keys(metrics)).optional(),
  /** Of a condition's loads; several make a number each. */
  statistic: z.union([statisticName, z.array(statisticName).nonempty()]).default("median"),
  where: filterSchema.optional(),
  /** A number for each value of this axis. */
  by: axisName.optional(),
  over: z.enum(overs).default("geometric mean"),
});
export type Leaf = z.infer<typeof leafSchema>;

/** A number, or the quotient or difference of two. */
const quantitySchema = z.union([
  leafSchema,
  z.strictObject({ ratio: z.tuple([leafSchema, leafSchema]) }),
  z.strictObject({ difference: z.tuple([leafSchema, leafSchema]) }),
]);
export type Quantity = z.infer<typeof quantitySchema>;

const rule = /^(?:above|below) -?[\d.]+$|^from -?[\d.]+ to -?[\d.]+$|^within [\d.]+%? of the published$/;

const claimSchema = z
  .strictObject({
    says: text,
    /** Who says it and where; ours, if not given. */
    source: z.strictObject({ document: text, at: text }).optional(),
    /** What the source has: one number, or one for each of ours by the key that ours has. */
    published: z.union([z.number(), z.record(z.string(), z.number())]).optional(),
    quantity: quantitySchema,
    /** Not given: the number is printed and nothing is decided by it. */
    holds: z
      .string()
      .regex(
        rule,
        'is no rule: "above 1", "below 1", "from 0.9 to 1.1", "within 10% of the published", "within 3 of the published"',
      )
      .optional(),
  })
  .refine(({ published, source }) => published === undefined || source, "a published value needs its source");
export type Claim = z.infer<typeof claimSchema>;

const fileSchema = z.strictObject({
  /** Where the numbers are from: a folder of results/. */
  run: text.optional(),
  /** The same experiment on the other clock, which the score shows beside it. */
  otherClock: text.optional(),
  /** What stands in parentheses in the experiment's tables. */
  published: publishedSchema.optional(),
  claims: z.record(z.string().regex(/^[\w-]+$/), claimSchema).default({}),
});

export interface ClaimsOfExperiment extends z.infer<typeof fileSchema> {
  experiment: string;
}

const folder = "experiments";
const pathOf = (experiment: string) => `${folder}/${experiment}.claims.yml`;

/** null where the experiment has none. */
export const readClaims = (experiment: string): ClaimsOfExperiment | null =>
  existsSync(pathOf(experiment)) ? { experiment, ...readYamlFile(pathOf(experiment), fileSchema) } : null;

export const allClaims = (): ClaimsOfExperiment[] =>
  readdirSync(folder)
    .flatMap((file) => /^([\w-]+)\.claims\.yml$/.exec(file)?.[1] ?? [])
    .sort()
    .map((experiment) => readClaims(experiment)!);
