/**
 * What the words of a command line bring along that is no part of the lab: an experiment's folder, and what runs keep. Registries are read
 * when the files of commands are imported, so these words are looked at before the command's own parser does.
 */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { useAdded } from "../../hosts/added.ts";
import { environment } from "../../hosts/environment.ts";
import { usageError } from "../../schema/errors.ts";
import { experimentAt, type FoundFiles, filesBeside } from "../record/added/beside.ts";
import { filesKept } from "../record/added/kept.ts";
import { stage } from "../record/added/staged.ts";
import { runNamedBy } from "../record/bundle.ts";
import { latestRun, resultsFolder } from "../record/find-run.ts";
import { rowsOfCommands } from "./command-rows.ts";

/** The name of an experiment, which may be given by its path: relative to where the user is. */
export const experimentNamed = (word: string): string => (isPath(word) ? experimentAt(pathOf(word)) : word);

const isPath = (word: string) => word.endsWith(".yml");
const pathOf = (word: string) => resolve(environment.from, word);

/** The words of a command, with the run of each bundle where they name the bundle. */
export const withRunsOfBundles = (words: readonly string[]): string[] =>
  words.map((word, i) => (i === 0 || word.startsWith("-") || words[i - 1] === "--out" ? word : runNamedBy(word)));

/** Makes them a part of the lab for this command. @returns what writes their own paths into a message, which has those of their copies */
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
  if (experiments.length > 1) throw usageError(`${experiments.join(" and ")}: a command has one experiment`);
  return [
    ...experiments.flatMap((word) => beside(word, { only: false })),
    ...withoutReplaced(
      runs.map((folder) => filesKept(folder)),
      figuresOf.flatMap((word) => beside(word, { only: true })),
    ),
  ];
}

/** Nothing for an experiment of the lab. */
function beside(word: string, options: { only: boolean }): FoundFiles[] {
  const path = pathOf(word);
  const [name, folder] = [experimentAt(path), dirname(path)];
  if (folder === resolve("experiments")) return [];
  if (existsSync(`experiments/${name}.yml`))
    throw usageError(`${word}: the lab has an experiment ${name} too: give your own another name`);
  return [filesBeside(path, options)];
}

/** The experiment and the claims that are given for a run's figures count instead of those that it keeps. */
function withoutReplaced(kept: readonly FoundFiles[], given: readonly FoundFiles[]): FoundFiles[] {
  const replaced = new Set(given.flatMap((files) => [...files.keys()]));
  return [...given, ...kept.map((files) => new Map([...files].filter(([path]) => !replaced.has(path))))];
}

interface Names {
  experiments: string[];
  /** The values of --experiment. */
  figuresOf: string[];
  runs: string[];
}

/** Options whose value is a run; without a value, --resume means the latest. */
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
  [word, `${resultsFolder}/${word}`]
    .filter((path) => existsSync(`${path}/run.json`))
    .slice(0, 1)
    .map((path) => path.replace(/\/$/, ""));
