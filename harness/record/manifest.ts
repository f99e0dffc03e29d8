import { z } from "zod";
import { learntAs } from "../../axes/expected.ts";
import { addedSchema } from "../../hosts/added.ts";
import { schemaVersion } from "../../schema/evidence.ts";
import type { Condition } from "../../schema/plan.ts";
import { clockSchema, tracesKeptSchema } from "../../schema/records.ts";
import { registriesSchema } from "../../schema/registries.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { experimentSchema } from "../plan/experiment.ts";
import { replace, select } from "../plan/select.ts";
import { whyPlanSchema } from "../plan/why-plan.ts";

/** What a measure of a page may be at most, in the measure's unit; `link` is null for all of them. */
const budget = z.strictObject({ measure: z.string(), most: z.number(), link: z.string().nullable() });

export const manifestSchema = z.strictObject({
  /** The version of the records in its files. */
  schemaVersion: z.literal(schemaVersion),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** The lab's own version: git commit, with "+" when files differed from it. */
  commit: z.string(),
  clock: clockSchema,
  /** Virtual clock: how long a program takes on average to react to an event. */
  processingMs: z.number().nonnegative().optional(),
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1),
  loads: z.int().positive(),
  timeoutSeconds: z.number().positive(),
  /** The option --traces; absent in runs that are older than it. */
  traces: tracesKeptSchema.optional(),
  /** The --only filters, and the axes that --with replaced. */
  only: z.array(z.string()),
  with: z.array(z.string()),
  /** The experiment as it was in its file at the time of the run. */
  experiment: experimentSchema,
  /** What `./lab gate` demands of its pages, so that a resumed gate has a verdict, too. Before 2026-11-27 budgets were text, as on its command line. */
  demands: z
    .strictObject({
      threshold: z.string(),
      budgets: z.array(z.union([z.string(), budget])),
      /** The page as it was before has the same files, so that nothing is compared. Since 2026-11-27. */
      sameFiles: z.literal(true).optional(),
    })
    .optional(),
  /** What `./lab why` asks. Since 2026-11-28. */
  why: whyPlanSchema.optional(),
  /** What the run used that is no part of the lab, and keeps in added/: path there -> SHA-256. Since 2026-11-27. */
  added: addedSchema.optional(),
  /** What its names meant at the time of the run. */
  registries: registriesSchema,
  /** Imported pages that could not be loaded before the run began, for the part of a condition that their requests depend on: it is without these. */
  leftOut: z.array(z.strictObject({ page: z.string(), as: z.string(), reason: z.string() })).optional(),
});
/** run.json: what was requested. It is written once. lanes.jsonl says what each lane ran on. */
export type Manifest = z.infer<typeof manifestSchema>;

type Planned = Pick<Manifest, "experiment" | "with" | "only" | "registries" | "leftOut">;

const allConditionsOf = ({ experiment, with: replaced, only, registries }: Planned): Condition[] =>
  conditionsOf(replace(experiment, replaced), registries, (all) => select(all, only));

/** Why a run is without a condition; undefined for one that it has. */
export const whyLeftOut = ({ values }: Condition, leftOut: Manifest["leftOut"] = []): string | undefined =>
  leftOut.find(({ page, as }) => page === values.page && as === learntAs(values))?.reason;

/** The conditions of a run, in the experiment's order. */
export const conditionsOfRun = (run: Planned): Condition[] =>
  allConditionsOf(run).filter((condition) => whyLeftOut(condition, run.leftOut) === undefined);

/** The conditions that the run is without, and why. */
export const leftOutOf = (run: Planned): { condition: Condition; reason: string }[] =>
  allConditionsOf(run).flatMap((condition) => {
    const reason = whyLeftOut(condition, run.leftOut);
    return reason === undefined ? [] : [{ condition, reason }];
  });
