import type { Command } from "commander";
import { benchChaos } from "../../bench/chaos.ts";
import { benchClocks } from "../../bench/clocks.ts";
import { benchExplain } from "../../bench/explain.ts";
import { benchIntervals } from "../../bench/intervals.ts";
import { benchMemory } from "../../bench/memory.ts";
import { benchOverhead } from "../../bench/overhead.ts";
import { benchRead } from "../../bench/read.ts";
import { benchReport } from "../../bench/report.ts";
import { type AaOptions, aa } from "../aa.ts";
import { clock, defaultExperiment, lanes, loads, only, seed, wholeNumber } from "./options.ts";

export function addBenches(program: Command): void {
  const bench = program.command("bench").description("measure the lab itself");
  bench
    .command("overhead")
    .description("how much of a load's wall time is not the page's")
    .addOption(loads())
    .action(benchOverhead);
  bench
    .command("clocks")
    .description("what a load takes on either clock, and how much it varies")
    .addOption(loads())
    .action(benchClocks);
  bench
    .command("read")
    .description("what reports take on a long run: makes one, prints time and memory")
    .option("--loads <n>", "of the whole run", wholeNumber(1, 10_000_000))
    .action(benchRead);
  bench
    .command("report")
    .description("what the report of a long run takes to make and to open, measured in the browser")
    .option("--loads <n>", "of the whole run", wholeNumber(1, 10_000_000))
    .action(benchReport);
  bench
    .command("memory")
    .description("what the lab's processes hold, over many loads on one lane")
    .addOption(loads())
    .action(benchMemory);
  bench
    .command("aa")
    .description("each condition of a run against itself: how often the tables would call a difference what is none")
    .argument("[run]", "a finished run's folder or its name (without: one is made)")
    .addOption(loads())
    .addOption(only())
    .addOption(seed())
    .addOption(clock())
    .addOption(lanes())
    .action((name: string | undefined, options: AaOptions) => aa(name, options, defaultExperiment));
  bench
    .command("intervals")
    .description("what the tables' intervals hold of simulated runs whose gains are known")
    .option("--runs <n>", "simulated runs of each kind", wholeNumber(10, 100_000), 300)
    .action(benchIntervals);
  bench
    .command("explain")
    .description(
      "what the account of time says that a cause of waiting costs, and what loads without that cause really saved",
    )
    .argument("[run]", "such as one of the experiment interventions (default: the latest)")
    .addOption(only())
    .action(benchExplain);
  bench
    .command("chaos")
    .description("kill -9 of the lab's parts at random moments: what survives, what is left behind")
    .option("--kills <n>", "how often", wholeNumber(1, 1000), 100)
    .addOption(seed().default(undefined, "another each time"))
    .action(benchChaos);
}
