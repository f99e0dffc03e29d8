/** Finds the files that a command line adds to the lab, before commander parses it: importing a command's file already reads the registries. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { useAdded } from "../../hosts/added.ts";
import { usageError } from "../../schema/errors.ts";
import { experimentAt, type FoundFiles, filesBeside } from "../record/added/beside.ts";
import { filesKept } from "../record/added/kept.ts";
import { stage } from "../record/added/staged.ts";
import { runNamedBy } from "../record/bundle.ts";
import { latestRun, placesOf } from "../record/find-run.ts";
import { userPath } from "../record/user-path.ts";
import { rowsOfCommands } from "./command-rows.ts";

/** Returns the name of an experiment that is given by its name or its path. Relative paths start in the user's current folder. */
export const experimentNamed = (word: string): string => (isPath(word) ? experimentAt(pathOf(word)) : word);

const isPath = (word: string) => word.endsWith(".yml");
const pathOf = (word: string) => resolve(userPath(word));

/** Replaces each bundle's path in a command's arguments by the path of the bundle's run. */
export const withRunsOfBundles = (words: readonly string[]): string[] =>
  words.map((word, i) => (i === 0 || word.startsWith("-") || words[i - 1] === "--out" ? word : runNamedBy(word)));

/** Adds copies of the named files to the lab. @returns a function that replaces the copies' paths in a message by the original paths */
export function useAdditions(words: readonly string[]): (text: string) => string {
  const additions = additionsNamedBy(words);
  const folder = stage(additions);
  useAdded(folder);
  return (text) =>
    additions
      .flatMap((files) => [...files])
      .reduce((said, [path, { source }]) => said.replaceAll(`${folder}/${path}`, source), text);
}

export function additionsNamedBy(words: readonly string[]): FoundFiles[] {
  const { experiments, figuresOf, runs } = namesIn(words);
  if (experiments.length > 1) throw usageError(`${experiments.join(" and ")}: give one experiment only`);
  return [
    ...experiments.flatMap((word) => beside(word, { only: false })),
    ...withoutReplaced(
      runs.map((folder) => filesKept(folder)),
      figuresOf.flatMap((word) => beside(word, { only: true })),
    ),
  ];
}

/** Finds the files next to an experiment; none for the lab's own experiments. */
function beside(word: string, options: { only: boolean }): FoundFiles[] {
  const path = pathOf(word);
  const [name, folder] = [experimentAt(path), dirname(path)];
  if (folder === resolve("experiments")) return [];
  if (existsSync(`experiments/${name}.yml`))
    throw usageError(`${word}: the lab has an experiment with the name ${name}, too; rename yours`);
  return [filesBeside(path, options)];
}

/** Leaves out those kept files that are replaced by the experiment and claims given with --experiment. */
function withoutReplaced(kept: readonly FoundFiles[], given: readonly FoundFiles[]): FoundFiles[] {
  const replaced = new Set(given.flatMap((files) => [...files.keys()]));
  return [...given, ...kept.map((files) => new Map([...files].filter(([path]) => !replaced.has(path))))];
}

interface Names {
  experiments: string[];
  /** The paths given with --experiment. */
  figuresOf: string[];
  runs: string[];
}

/** Options whose value is a run. Without a value, --resume means the latest run. */
const ofRuns = new Set(["--resume", "--beside"]);

export function namesIn(words: readonly string[]): Names {
  const [command = "", ...others] = words.flatMap((word) => /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  const [, , , , , what] = rowsOfCommands().find(([name]) => name === command) ?? [];
  const names: Names = { experiments: [], figuresOf: [], runs: [] };
  others.forEach((word, i) => {
    const before = others[i - 1];
    if (word === "--resume" && !others[i + 1]?.match(/^[^-]/)) names.runs.push(...latest());
    if (word.startsWith("-")) return;
    if (before === "--experiment") names.figuresOf.push(...(isPath(word) ? [word] : []));
    else if (what === "experiment" && isPath(word)) names.experiments.push(word);
    else if (ofRuns.has(before ?? "") || what === "latest" || what === "runs") names.runs.push(...runNamed(word));
  });
  if (what === "latest" && names.runs.length === 0) names.runs.push(...latest());
  return names;
}

const latest = (): string[] => [latestRun()].flatMap((folder) => folder ?? []);

const runNamed = (word: string): string[] =>
  placesOf(word)
    .filter((path) => existsSync(`${path}/run.json`))
    .slice(0, 1)
    .map((path) => path.replace(/\/$/, ""));
