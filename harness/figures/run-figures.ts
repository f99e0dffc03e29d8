/** A saved run's figures, from which all pictures of its results are drawn. */
import { JudgedRun } from "../judge/run/judged-loads.ts";
import { type Experiment, listExperiments, readExperiment } from "../plan/experiment.ts";
import { type FigureSpec, figureProblems, usualFigure } from "../plan/figures.ts";
import { definingExperiment } from "../record/experiment-now.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { publishedOf } from "../tables/run-tables.ts";
import { buildFigures } from "./build.ts";
import type { Figure } from "./figure.ts";

/**
 * A pure function of the run's folder, the published values and the experiment's figures. An experiment without figures gets a default one.
 * @param given the name of an experiment whose figures are drawn, instead of the run's own
 */
export function figuresOf(run: SavedRun, given?: string): Figure[] {
  const { loads, clock, registries } = run.manifest;
  const { name, experiment, whole, definedBy } = definingExperiment(run.manifest, given);
  const judged = new JudgedRun(run);
  const specs = figureSpecs({ name, experiment });
  return buildFigures(
    judged,
    { ...experiment, loads },
    specs.length ? specs : [usualFigure(experiment)],
    publishedOf(name),
    {
      run: run.folder.replace(/^.*\//, ""),
      clock,
      registries,
      conditions: conditionsOfRun(run.manifest),
      ...(whole && { whole }),
      ...(definedBy !== undefined && { definedBy }),
      timeoutMs: run.manifest.timeoutSeconds * 1000,
      neverConfirmed: judged.neverConfirmed,
    },
  );
}

/**
 * The figures of a run's experiment. A run that was recorded before its experiment had figures gets the experiment's current figures. Empty if
 * the experiment has no figures, or if they name something that the run lacks.
 */
export function figureSpecs({ name, experiment }: Pick<Manifest, "name" | "experiment">): readonly FigureSpec[] {
  const todays = (): Experiment["figures"] =>
    listExperiments().includes(name) ? readExperiment(name).figures : undefined;
  const specs = experiment.figures ?? todays() ?? [];
  return figureProblems(experiment, specs).length === 0 ? specs : [];
}
