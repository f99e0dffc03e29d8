/** The options of every command that makes a run. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { tracesKept } from "../../../schema/records.ts";
import { parseQuantity } from "../../../schema/units.ts";
import { clock, lanes, loads, root, seed, substrate, timeLimit } from "./options.ts";

function percent(text: string): number {
  const value = /^(\d+(\.\d+)?)%$/.exec(text)?.[1];
  if (value === undefined || Number(value) > 100)
    throw new InvalidArgumentError("A percentage up to 100% is allowed, as in 2%.");
  return Number(value);
}

export const withRunOptions = (command: Command) =>
  command
    .addOption(loads())
    .addOption(seed())
    .option("--timeout <time>", 'how long a load may take before it counts as never ended, as in "120 s"', timeLimit)
    .option(
      "--processing <time>",
      'virtual clock: how long a program takes on average to react to an event, as in "0.1 ms"; "0 ms" for no time',
      (text: string) => parseQuantity("processingMs", text, "--processing"),
    )
    .addOption(
      new Option("--traces <which>", "which packet traces to keep (default: those of the first block's loads)").choices(
        tracesKept,
      ),
    )
    .option(
      "--capture",
      "after the loads, capture one extra load of each condition: packets, keys, logs (docs/captures.md)",
    )
    .option("--dry-run", "print the order of the loads, but make no load")
    .addOption(substrate())
    .addOption(clock())
    .addOption(lanes())
    .option(
      "--workers [address]",
      "virtual clock: let ./lab worker make the loads, through a queue such as redis://HOST:6379 (default: the environment variable LAB_QUEUE)",
    )
    .option(
      "--audit <percent>",
      "the share of chunks that two workers make independently, as in 2%; the run stops if the bytes of the two workers differ",
      percent,
    )
    .addOption(root());
