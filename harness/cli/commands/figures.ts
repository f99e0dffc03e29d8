import type { Command } from "commander";
import { figuresOf } from "../../figures/run-figures.ts";
import { print, say } from "../../output/output.ts";
import { definedOtherwise, definingExperiment } from "../../record/experiment-now.ts";
import { readRun } from "../../record/records.ts";
import { writeFigures } from "../write-figures.ts";
import { aRun, definedBy } from "./options.ts";

/** Draws each figure from the saved loads, writes it as SVG and CSV, and prints the paths. */
async function figures(
  name: string | undefined,
  { out, experiment }: { out?: string; experiment?: string },
): Promise<void> {
  const run = readRun(name);
  const drawn = figuresOf(run, experiment);
  const sentence =
    experiment === undefined ? definedOtherwise(run.manifest) : definingExperiment(run.manifest, experiment).definedBy;
  if (sentence) say(sentence);
  await writeFigures(drawn, out ?? `${run.folder}/figures`, print);
  if (drawn.every(({ points }) => points.every(({ source, y }) => source !== "measured" || y === null)))
    say(`${run.folder} has no valid load yet: its figures show no measured points`);
}

export const addTo = (lab: Command) =>
  lab
    .command("figures")
    .description("draw the figures of a run's experiment, as SVG and CSV")
    .argument(...aRun)
    .option("--out <folder>", "where to write them (default: figures/ in the run's folder)")
    .addOption(definedBy("figures"))
    .action(figures);
