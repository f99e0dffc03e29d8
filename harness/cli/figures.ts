import { writeFileSync } from "node:fs";
import { readYamlFile } from "../../schema/yaml-file.ts";
import { MarkedLoads } from "../judge/judged-loads.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { type Experiment, listExperiments, publishedFile, readExperiment } from "../plan/experiment.ts";
import { type FigureSpec, figureProblems, usualFigure } from "../plan/figures.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { buildFigures } from "../report/figures/build.ts";
import { renderFigureCsv } from "../report/figures/csv.ts";
import type { Figure } from "../report/figures/figure.ts";
import { publishedSchema } from "../report/tables/published.ts";
import { enoughOf } from "../statistics/until.ts";
import { makeFolder } from "./folder.ts";

/** From saved loads alone, each figure as a picture and as numbers; their paths are printed. */
export async function figures(name: string | undefined, { out }: { out?: string }): Promise<void> {
  const { folder, manifest } = openRun(name);
  const { experiment, loads, clock, registries } = manifest;
  const published = publishedFile(manifest.name);
  const marked = new MarkedLoads(folder, readSavedRun(folder, manifest));
  const drawn = buildFigures(
    marked,
    { ...experiment, loads },
    specsOf(manifest),
    published ? readYamlFile(published, publishedSchema) : null,
    {
      run: folder.replace(/^.*\//, ""),
      clock,
      pages: registries.pages,
      conditions: conditionsOfRun(manifest),
      ...(manifest.only.length + manifest.with.length ? { whole: conditionsOf(experiment, registries) } : {}),
      enough: enoughOf(manifest),
      neverShown: marked.neverShown,
    },
  );
  await writeFigures(drawn, out ?? `${folder}/figures`, console.log);
  if (drawn.every(({ points }) => points.every(({ source, y }) => source !== "measured" || y === null)))
    console.error(`${folder} has no load that counts yet: its figures show nothing measured`);
}

/** @param tell told of each file, by its path */
export async function writeFigures(
  drawn: readonly Figure[],
  folder: string,
  tell: (path: string) => void,
): Promise<void> {
  // The library takes a second to load, which no other command should wait for.
  const { renderSvg } = await import("../report/figures/svg.ts");
  makeFolder(folder);
  for (const figure of drawn)
    for (const [ending, text] of [
      ["svg", await renderSvg(figure)],
      ["csv", renderFigureCsv(figure)],
    ] as const) {
      const path = `${folder}/${figure.id}.${ending}`;
      writeFileSync(path, text);
      tell(path);
    }
}

/** Figures are how a run is looked at, so today's stand for a run that is older than they are. */
function specsOf({ name, experiment }: Pick<Manifest, "name" | "experiment">): readonly FigureSpec[] {
  const todays = (): Experiment["figures"] =>
    listExperiments().includes(name) ? readExperiment(name).figures : undefined;
  const specs = experiment.figures ?? todays() ?? [];
  return specs.length && figureProblems(experiment, specs).length === 0 ? specs : [usualFigure(experiment)];
}
