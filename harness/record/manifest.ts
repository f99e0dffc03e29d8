import { z } from "zod";
import { learntAs } from "../../axes/expected.ts";
import { addedSchema } from "../../hosts/added.ts";
import { schemaVersion } from "../../schema/evidence.ts";
import type { Condition } from "../../schema/plan.ts";
import { clockSchema, tracesKeptSchema } from "../../schema/records.ts";
import { registriesSchema } from "../../schema/registries.ts";
import { advisePlanSchema } from "../plan/advise-plan.ts";
import { chunkSizesSchema } from "../plan/chunk-sizes.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { experimentSchema } from "../plan/experiment.ts";
import { replace, select } from "../plan/select.ts";
import { whyPlanSchema } from "../plan/why-plan.ts";

/** The highest value that a measure of a page may have, in the measure's unit; `link` is null for all links. */
const budget = z.strictObject({ measure: z.string(), most: z.number(), link: z.string().nullable() });

export const manifestSchema = z.strictObject({
  schemaVersion: z.literal(schemaVersion),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** The lab's own version: its git commit, with "+" if files differed from it. */
  commit: z.string(),
  clock: clockSchema,
  /** Virtual clock: how long a program takes on average to react to an event. */
  processingMs: z.number().nonnegative().optional(),
  seed: experimentSchema.shape.seed,
  loads: z.int().positive(),
  timeoutSeconds: z.number().positive(),
  /** Virtual clock: how many loads and links a guest gets. Since 2026-11-29. */
  chunks: chunkSizesSchema.optional(),
  /** The option --traces; absent in runs that are older than the option. */
  traces: tracesKeptSchema.optional(),
  /** The --only filters, and the axes that --with replaced. */
  only: z.array(z.string()),
  with: z.array(z.string()),
  /** The experiment's file at the time of the run. */
  experiment: experimentSchema,
  /** What `./lab gate` demands, so that a resumed gate can decide, too. Before 2026-11-27 budgets were text, as on the command line. */
  demands: z
    .strictObject({
      threshold: z.string(),
      budgets: z.array(z.union([z.string(), budget])),
      /** Set if the page's earlier version has the same files, so that nothing is compared. Since 2026-11-27. */
      sameFiles: z.literal(true).optional(),
    })
    .optional(),
  /** The plan of `./lab why`. Since 2026-11-28. */
  why: whyPlanSchema.optional(),
  /** The plan of `./lab advise`. Since 2026-11-28. */
  advise: advisePlanSchema.optional(),
  /** Files that the run used but the lab does not have; the run keeps them in added/. Path in added/ -> SHA-256. Since 2026-11-27. */
  added: addedSchema.optional(),
  /** What the names in this file meant at the time of the run. */
  registries: registriesSchema,
  /** Variants of imported pages that could not be loaded before the run began. The run leaves them out. */
  leftOut: z.array(z.strictObject({ page: z.string(), as: z.string(), reason: z.string() })).optional(),
});
/** run.json: what was requested. It is written once. lanes.jsonl describes what each lane ran on. */
export type Manifest = z.infer<typeof manifestSchema>;

type Planned = Pick<Manifest, "experiment" | "with" | "only" | "registries" | "leftOut">;

/** Caches the conditions of each manifest, because a command needs them several times, and computing 288 conditions takes 0.1 s. */
const planned = new WeakMap<Planned, readonly Condition[]>();

function allConditionsOf(run: Planned): readonly Condition[] {
  const { experiment, with: replaced, only, registries } = run;
  const conditions =
    planned.get(run) ?? conditionsOf(replace(experiment, replaced), registries, (all) => select(all, only));
  planned.set(run, conditions);
  return conditions;
}

export const whyLeftOut = ({ values }: Condition, leftOut: Manifest["leftOut"] = []): string | undefined =>
  leftOut.find(({ page, as }) => page === values.page && as === learntAs(values))?.reason;

export const conditionsOfRun = (run: Planned): Condition[] =>
  allConditionsOf(run).filter((condition) => whyLeftOut(condition, run.leftOut) === undefined);

export const leftOutOf = (run: Planned): { condition: Condition; reason: string }[] =>
  allConditionsOf(run).flatMap((condition) => {
    const reason = whyLeftOut(condition, run.leftOut);
    return reason === undefined ? [] : [{ condition, reason }];
  });
