/** The runs of an advice that was interrupted. */
import { basename, dirname } from "node:path";
import { runs } from "../record/find-run.ts";
import { openRun } from "../record/run-folder.ts";
import type { OpenedRun } from "../run/resume.ts";
import { adviseName } from "./advise-experiment.ts";
import { planOf } from "./stage-times.ts";

/** @param name one of its runs; the latest run if not given @throws LabError (usage) if that is no run of an advice */
export function earlierRuns(name: string | undefined): [OpenedRun, ...OpenedRun[]] {
  const run = openRun(name);
  const { session } = planOf(run.manifest, run.folder);
  const beside = runs().filter((path) => dirname(path) === dirname(run.folder) && path !== run.folder);
  const others = beside
    .filter((path) => basename(path).startsWith(`${adviseName}-`))
    .map((path) => openRun(path))
    .filter(({ manifest }) => manifest.advise?.session.id === session.id);
  const all = [run, ...others].sort((a, b) => stageOf(a) - stageOf(b));
  return all as [OpenedRun, ...OpenedRun[]];
}

const stageOf = ({ manifest, folder }: OpenedRun): number => planOf(manifest, folder).session.stage;
