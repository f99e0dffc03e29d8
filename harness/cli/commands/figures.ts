import type { Command } from "commander";
import { usageError } from "../../../schema/errors.ts";
import { figuresOf } from "../../figures/run-figures.ts";
import { print, say } from "../../output/output.ts";
import { definedOtherwise, definingExperiment } from "../../record/experiment-now.ts";
import { readRun, type SavedRun } from "../../record/records.ts";
import { userPath } from "../../record/user-path.ts";
import { whyReport } from "../../why/why-report.ts";
import { makeFolder } from "../folder.ts";
import { writeFigure, writeFigures } from "../write-figures.ts";
import { aRun, definedBy } from "./options.ts";

async function figures(
  name: string | undefined,
  { out, experiment }: { out?: string; experiment?: string },
): Promise<void> {
  const run = readRun(name);
  if (run.manifest.why) return figureOfWhy(run, out);
  const drawn = figuresOf(run, experiment);
  const sentence =
    experiment === undefined ? definedOtherwise(run.manifest) : definingExperiment(run.manifest, experiment).definedBy;
  if (sentence) say(sentence);
  await writeFigures(drawn, out ?? `${run.folder}/figures`, print);
  if (drawn.every(({ points }) => points.every(({ source, y }) => source !== "measured" || y === null)))
    say(`${run.folder} has no valid load yet, so its figures show no measured points`);
}

async function figureOfWhy(run: SavedRun, out = `${run.folder}/figures`): Promise<void> {
  const { whyCsv, whySvg } = await import("../../why/why-figure.ts");
  const report = whyReport(run);
  const svg = whySvg(report);
  if (svg === null) throw usageError(`${run.folder} was made with --quick, so it has no shares of causes to draw`);
  makeFolder(out);
  writeFigure(`${out}/why`, svg, whyCsv(report), print);
}

export const addTo = (lab: Command) =>
  lab
    .command("figures")
    .description("draw the figures of a run's experiment, as SVG and CSV")
    .argument(...aRun)
    .option("--out <folder>", "where to write them (default: figures/ in the run's folder)", userPath)
    .addOption(definedBy("figures"))
    .action(figures);
