/** Makes the loads of one run of `./lab advise`, and reads what these loads show. */
import { learntAs } from "../../axes/expected.ts";
import { readRegistries } from "../../axes/registries.ts";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import type { Condition, Values } from "../../schema/plan.ts";
import { type ImportedPage, isImported, type Registries } from "../../schema/registries.ts";
import { documentOf } from "../../sites/edits/edited-page.ts";
import type { AdvisePlan } from "../plan/advise-plan.ts";
import { conditionOf } from "../plan/conditions.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { readRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { type RunOptions, requestOf } from "../run/request.ts";
import { openToResume } from "../run/resume.ts";
import { carryOut, type RunSettings } from "../run/run.ts";
import { type Asked, adviseExperiment, adviseName, rowsOf } from "./advise-experiment.ts";
import { type Candidate, leavesOut } from "./candidate.ts";
import type { SeenPage } from "./change.ts";
import { stagePage } from "./stage-page.ts";
import { planOf, type StageTimes, stageTimes } from "./stage-times.ts";

/** What all runs of one `./lab advise` share. */
export interface Common {
  /** The present axis values: the page and the stack, without a link. */
  stack: Values;
  plan: Pick<AdvisePlan, "page" | "users" | "metric">;
  /** The lab's number of hosts. */
  mostHosts: number;
  machine: Pick<RunOptions, "lanes" | "root">;
  settings: Pick<RunSettings, "print" | "startProgress">;
}

export type Stage = Asked &
  Pick<AdvisePlan, "purpose" | "session" | "combined" | "dropped" | "search"> & {
    seen: SeenPage | null;
    known: Known;
  };

/** For each document and stack, the requests and what the browser's window shows. The keys come from `learntAs`. */
export interface Known extends Pick<ImportedPage, "learnt"> {
  windows: NonNullable<ImportedPage["windows"]>;
}

export interface MadeStage extends StageTimes {
  folder: string;
  known: Known;
}

export async function makeStage(
  common: Common,
  candidates: readonly Candidate[],
  { seen, known, purpose, session, combined, dropped, search, ...asked }: Stage,
): Promise<MadeStage> {
  const edited = candidates.flatMap((one) => one.edited ?? []);
  const page = seen && edited.length ? stagePage(seen.page.source, edited, common.mostHosts).name : common.stack.page!;
  const registries = readRegistries();
  const now = { ...common.stack, page };
  const link = common.plan.users[0]!.link;
  const { values } = conditionOf({ ...now, link }, registries); // adds the defaults of axes that the user did not name
  const { unchanged, rows } = rowsOf(values, new Map(candidates.map((one) => [one.name, valuesOf(one)])));
  const plan: AdvisePlan = {
    ...common.plan,
    ...{ session, purpose, unchanged },
    changes: candidates.map((one) => ({
      ...{ name: one.name, title: one.title, row: rows.get(one.name) ?? unchanged },
      ...(leavesOut(one) && { leavesOut: true as const }),
    })),
    ...(combined && { combined }),
    ...(dropped && { dropped }),
    ...(search && { search }),
  };
  const experiment = adviseExperiment(plan, now, asked, registries);
  const { loads, seed, timeout } = asked;
  const options = { ...optionsOf(common), loads, seed, ...(timeout !== undefined && { timeout }) };
  const request = { ...(await requestOf(adviseName, experiment, options)), advise: plan };
  learnFrom(known, request.registries, conditionsOfRun(request));
  const made = await carryOut(request, { ...options, ...common.settings }).catch(refuseUnlessGaps);
  return readStage(made ?? openRun(undefined).folder); // `made` is undefined if loads are missing; the run is then the latest one
}

/** Counts the pages whose requests a run of these changes would first have to learn. */
export function documentsToLearn({ stack, plan }: Common, candidates: readonly Candidate[], { learnt }: Known): number {
  const registries = readRegistries();
  const { values } = conditionOf({ ...stack, link: plan.users[0]!.link }, registries);
  const page = registries.pages[values.page];
  if (!page || !isImported(page)) return 0;
  const all = [{}, ...candidates.map(valuesOf)].map((own) => learntAs({ ...values, ...own }));
  return new Set(all.filter((as) => !learnt[as])).size;
}

/**
 * Makes the missing loads of a run that an earlier process began. @throws LabError (usage) if the run has other changes than `candidates`
 * @param isOver whether another run followed: then the missing loads could not be made before, and are not tried again
 */
export async function finishStage(
  common: Common,
  candidates: readonly Candidate[],
  { folder, isOver }: { folder: string; isOver: boolean },
): Promise<MadeStage> {
  const { manifest } = openRun(folder);
  const planned = planOf(manifest, folder).changes.map(({ name }) => name);
  const asked = candidates.map(({ name }) => name);
  if (planned.join("\n") !== asked.join("\n"))
    throw usageError(
      `the changes in ${folder} are not those that this version of the lab tries: start again without --resume`,
    );
  const options = { ...optionsOf(common), resume: folder };
  const opened = openToResume(options); // also checks that the lab's files are as they were
  if (!isOver) await carryOut(opened, { ...options, ...common.settings }).catch(refuseUnlessGaps);
  return readStage(folder);
}

const optionsOf = ({ machine }: Common): RunOptions => ({ ...machine, only: [], with: [], clock: "virtual" });

function readStage(folder: string): MadeStage {
  const { pages } = openRun(folder).manifest.registries;
  const known = allKnown(Object.values(pages).filter(isImported));
  return { folder, ...stageTimes(readRun(folder)), known };
}

export const allKnown = (some: readonly Pick<ImportedPage, "learnt" | "windows">[]): Known => ({
  learnt: Object.assign({}, ...some.map(({ learnt }) => learnt)),
  windows: Object.assign({}, ...some.map(({ windows }) => windows)),
});

const valuesOf = ({ values, edited }: Candidate): Values =>
  edited ? { ...values, document: documentOf(edited) } : values;

/** Reuses what earlier runs learnt. A file name still means the same content: an edited document's name has a hash, and other files never change. */
function learnFrom(known: Known, { pages }: Registries, conditions: readonly Condition[]): void {
  for (const { values } of conditions) {
    const [entry, as] = [pages[values.page], learntAs(values)];
    if (!entry || !isImported(entry) || !known.learnt[as]) continue;
    entry.learnt[as] = known.learnt[as];
    if (known.windows[as] !== undefined) entry.windows = { ...entry.windows, [as]: known.windows[as] };
  }
}

/** Ignores the error about missing loads: a change whose loads fail must not end the search, because the other loads of the run still count. */
function refuseUnlessGaps(error: unknown): undefined {
  if (error instanceof LabError && error.exitCode === ExitCode.loadsMissing) return undefined;
  throw error;
}
