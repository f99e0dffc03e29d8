/** Options that several commands have, and what their values may be. */
import { InvalidArgumentError, Option } from "commander";
import { parseQuantity } from "../../../schema/units.ts";

export const defaultExperiment = "spdy-initcwnd";

export const wholeNumber = (min: number, max: number) => (text: string) => {
  if (!/^\d+$/.test(text) || Number(text) < min || Number(text) > max)
    throw new InvalidArgumentError(`A whole number from ${min} to ${max} is allowed.`);
  return Number(text);
};
export const repeatable = (flags: string, description: string) =>
  new Option(flags, description).default([] as string[]).argParser((text: string, all: string[]) => [...all, text]);
export const only = () => repeatable("--only <axis=value,…>", "only these values of an axis; repeatable");
export const replaced = () =>
  repeatable("--with <axis=value,…>", "other values of an axis than the experiment's; repeatable");
export const loads = () => new Option("--loads <n>", "loads of each condition").argParser(wholeNumber(1, 1000));
export const seed = () =>
  new Option("--seed <n>", "seed of the order in each block").argParser(wholeNumber(0, 2 ** 32 - 1));
export const clock = () =>
  new Option("--clock <clock>", "real, or virtual: the network alone, no noise, no privileges")
    .choices(["real", "virtual"])
    .default(undefined, "real");
export const lanes = () =>
  new Option("--lanes <n>", "on the virtual clock: loads at once, or auto: one a core")
    .default(undefined, "auto")
    .argParser((text: string) => (text === "auto" ? text : wholeNumber(1, 256)(text)));
export const substrate = () =>
  new Option("--substrate <name>", "where the hosts live (default: compose with a Docker engine, else netns)").choices([
    "compose",
    "netns",
  ]);
export const timeLimit = (text: string) => parseQuantity("timeoutSeconds", text, "--timeout");

/** The argument of what reads a run. */
export const aRun = ["[run]", "a run's folder or its name (default: the latest)"] as const;
