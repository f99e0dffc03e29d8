/** Finds all runs of a `./lab advise` command that was interrupted. */
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { runs } from "../record/find-run.ts";
import { openRun } from "../record/run-folder.ts";
import type { OpenedRun } from "../run/resume.ts";
import { adviseName } from "./advise-experiment.ts";
import { planOf } from "./stage-times.ts";

/** @param name the name of one of the runs, or undefined for the latest run @throws LabError (usage) if the run is not of `./lab advise` */
export function earlierRuns(name: string | undefined): [OpenedRun, ...OpenedRun[]] {
  const run = openRun(name);
  const { session } = planOf(run.manifest, run.folder);
  const beside = runs().filter((path) => dirname(path) === dirname(run.folder) && path !== run.folder);
  const others = beside
    .filter((path) => basename(path).startsWith(`${adviseName}-`) && isNamedIn(path, session.id))
    .map((path) => openRun(path));
  const all = [run, ...others].sort((a, b) => stageOf(a) - stageOf(b));
  return all as [OpenedRun, ...OpenedRun[]];
}

const stageOf = ({ manifest, folder }: OpenedRun): number => planOf(manifest, folder).session.stage;

/** Searches the manifest's text for the id. Opening the run would fail if it is damaged, but a damaged run must not stop `--resume`. */
const isNamedIn = (folder: string, id: string): boolean => readFileSync(`${folder}/run.json`, "utf8").includes(id);
