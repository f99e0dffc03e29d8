/** The plan of a run of `./lab advise`: a page as it is and with each of several changes, over its users' links. */
import { z } from "zod";
import { axisValuesSchema, text } from "./comparisons.ts";

const change = z.strictObject({
  name: text,
  /** The action, as the end of the sentence "To make it faster, ...". */
  title: text,
  /** The axis values of the page with this change. All changes of a run name the same axes. */
  row: axisValuesSchema,
  /** Set if the page shows or does less with this change. The change's saving is the cost of the files that it leaves out. */
  leavesOut: z.literal(true).optional(),
});

const dropped = z.strictObject({ name: text, title: text, reason: text });

/** What `--resume` needs to continue: the user's request, and the time that was used before this run. */
const session = z.strictObject({
  /** All runs of one `./lab advise` have the same id. */
  id: text,
  /** 1 for the first run. */
  stage: z.int().positive(),
  /** The page and the stack as they are, without a link. */
  stack: axisValuesSchema,
  minutes: z.number().positive(),
  /** The changes that are measured without a search; "a + b" means both changes at once. */
  only: z.array(text),
  /** The kinds of changes that are tried; absent if all are. Since 2026-11-29. */
  kinds: z.array(text).optional(),
  /** The number of fresh loads of each page over each link. */
  loads: z.int().positive(),
  seed: z.int().nonnegative(),
  timeoutSeconds: z.number().positive().optional(),
  usedSeconds: z.number().nonnegative(),
  secondsPerLoad: z.number().positive(),
  /** Runs since 2026-11-29 have this key and the next one. */
  secondsPerDocument: z.number().nonnegative().optional(),
  secondsToStart: z.number().nonnegative().optional(),
});

export const advisePlanSchema = z.strictObject({
  session,
  /** What the user gave: a path or the name of a page. */
  page: text,
  /** Links, and the percentage of the users who have each link. The percentages add up to 100. */
  users: z.array(z.strictObject({ link: text, percent: z.number().positive() })).nonempty(),
  /** The measure to reduce, by its name in budgets, such as "pageLoad". */
  metric: text,
  /** "search": loads that only choose changes. "measure": fresh loads, from which savings are computed. */
  purpose: z.enum(["search", "measure"]),
  /** The axis values of the unchanged page, for the same axes as `row`. */
  unchanged: axisValuesSchema,
  changes: z.array(change),
  /** The best combination of changes, if `changes` contains it: its name, and the names of its changes. */
  combined: z.strictObject({ name: text, of: z.array(text).min(2) }).optional(),
  /** Only if purpose is "measure": changes that were tried before, and why they are not measured here. */
  dropped: z.array(dropped).optional(),
  /** The search before this run: its number of loads, and whether it showed that no dropped change is better than the best of `changes`. */
  search: z.strictObject({ loads: z.int().nonnegative(), isSure: z.boolean() }).optional(),
});
export type AdvisePlan = z.infer<typeof advisePlanSchema>;
export type AdviseSession = z.infer<typeof session>;
export type DroppedChange = z.infer<typeof dropped>;
