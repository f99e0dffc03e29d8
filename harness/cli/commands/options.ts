/** Options that several commands share, and their allowed values. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { usageError } from "../../../schema/errors.ts";
import { parseQuantity } from "../../../schema/units.ts";
import { userPath } from "../../record/user-path.ts";
import { experimentNamed } from "../named-additions.ts";

/** Parses a path argument that may be given several times; userPath parses a single path. */
export const userPaths = (path: string, all: string[] = []): string[] => [...all, userPath(path)];

/** The argument of commands that make or plan a run. */
export const anExperiment = [
  "[experiment]",
  "a name from ./lab list experiments, or the path of an experiment's file, NAME.yml",
  experimentNamed,
  "spdy-initcwnd",
] as const;

export const wholeNumber = (min: number, max: number) => (text: string) => {
  if (!/^\d+$/.test(text) || Number(text) < min || Number(text) > max)
    throw new InvalidArgumentError(`A whole number from ${min} to ${max} is allowed.`);
  return Number(text);
};
/** @param usual the default in words, for the help */
export const repeatable = (flags: string, description: string, usual = "none") =>
  new Option(flags, description)
    .default([] as string[], usual)
    .argParser((text: string, all: string[]) => [...all, text]);
/** @param what what the experiment's files define: "tables", "figures" or "claims" @param usual the default in words, for the help */
export const definedBy = (what: string, usual = `the run's own ${what}`) =>
  new Option(
    "--experiment <experiment>",
    `use the ${what} that this experiment's files define now; a name or path (default: ${usual})`,
  ).argParser(experimentNamed);
export const only = () =>
  repeatable("--only <axis=value,…>", "only conditions with these values of an axis; repeatable", "all");
export const replaced = () =>
  repeatable("--with <axis=value,…>", "give an axis these values instead of the experiment's; repeatable");
export const loads = () =>
  new Option("--loads <n>", "loads of each condition (default: the experiment's number)").argParser(
    wholeNumber(1, 1000),
  );
export const seed = (description = "seed of the random order of the loads (default: the experiment's seed)") =>
  new Option("--seed <n>", description).argParser(wholeNumber(0, 2 ** 32 - 1));
export const clock = () =>
  new Option(
    "--clock <clock>",
    "real: includes this machine's CPU time; virtual: the network alone, repeatable, no privileges needed",
  )
    .choices(["real", "virtual"])
    .default(undefined, "real");
export const lanes = () =>
  new Option("--lanes <n>", "virtual clock: how many loads to make in parallel; auto: one per core")
    .default(undefined, "auto")
    .argParser((text: string) => (text === "auto" ? text : wholeNumber(1, 256)(text)));
export const root = () =>
  new Option(
    "--root <file>",
    "virtual clock: the guests' root image, a file from ./lab root save (default: built from Debian 13's packages)",
  ).argParser(userPath);
export const substrate = () =>
  new Option(
    "--substrate <name>",
    "real clock: run hosts in containers (compose) or in network namespaces (netns); default: compose if there is a Docker engine, else netns",
  ).choices(["compose", "netns"]);
export const timeLimit = (text: string) => parseQuantity("timeoutSeconds", text, "--timeout");

/** @param formats an object whose keys are the formats' names; the first is the default */
export const formatOf = (formats: object, description?: string) =>
  new Option("--format <format>", description).choices(Object.keys(formats)).default(Object.keys(formats)[0]);

/** The argument of each command about workers. */
export const aQueue = [
  "[address]",
  "the queue (Valkey or Redis): redis://HOST:6379, or rediss://:PASSWORD@HOST:6379 with TLS (default: the environment variable LAB_QUEUE)",
] as const;

/** The argument of each command that reads a run. */
export const aRun = ["[run]", "a run's folder or its name (default: the latest)"] as const;

/** Refuses all options except the allowed ones, and the argument if it is given. @throws LabError (usage) */
export function refuseOthers(why: string, command: Command, allowed: readonly string[], argument?: string): void {
  const typed = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === "cli");
  const others = typed.map((option) => option.name()).filter((name) => !allowed.includes(name));
  const given = [...(argument === undefined ? [] : [argument]), ...others.map((name) => `--${name}`)];
  if (given.length) throw usageError(`${why}: leave out ${given.join(", ")}`);
}
