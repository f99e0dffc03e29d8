import type { Command } from "commander";
import { figuresOf } from "../../figures/run-figures.ts";
import { print, say } from "../../output/output.ts";
import { readRun } from "../../record/records.ts";
import { writeFigures } from "../write-figures.ts";
import { aRun } from "./options.ts";

/** Draws each figure from the saved loads, writes it as SVG and CSV, and prints the paths. */
async function figures(name: string | undefined, { out }: { out?: string }): Promise<void> {
  const run = readRun(name);
  const drawn = figuresOf(run);
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
    .action(figures);
