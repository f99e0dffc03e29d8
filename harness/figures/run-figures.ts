/** A saved run's figures, from which all pictures of its results are drawn. */
import { type Experiment, listExperiments, readExperiment } from "../plan/experiment.ts";
import { type FigureSpec, figureProblems, usualFigure } from "../plan/figures.ts";
import type { Manifest } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { factsOf, publishedOf } from "../tables/run-tables.ts";
import { buildFigures } from "./build.ts";
import type { Figure } from "./figure.ts";

/** Builds a default figure if the experiment has none. @param given the name of an experiment to use instead of the run's experiment */
export function figuresOf(run: SavedRun, given?: string): Figure[] {
  const { name, experiment, judged, facts } = factsOf(run, given);
  const specs = figureSpecs({ name, experiment });
  return buildFigures(judged, experiment, specs.length ? specs : [usualFigure(experiment)], publishedOf(name), {
    ...facts,
    run: run.folder.replace(/^.*\//, ""),
    registries: run.manifest.registries,
  });
}

/** A run that was recorded without figures gets its experiment's current ones. Returns none if figures name something that the run lacks. */
export function figureSpecs({ name, experiment }: Pick<Manifest, "name" | "experiment">): readonly FigureSpec[] {
  const todays = (): Experiment["figures"] =>
    listExperiments().includes(name) ? readExperiment(name).figures : undefined;
  const specs = experiment.figures ?? todays() ?? [];
  return figureProblems(experiment, specs).length === 0 ? specs : [];
}
