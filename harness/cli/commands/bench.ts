import type { Command } from "commander";
import { benchAa } from "../../../bench/aa.ts";
import { benchPriorities } from "../../../bench/asked-priorities.ts";
import { benchChaos } from "../../../bench/chaos.ts";
import { benchClocks } from "../../../bench/clocks.ts";
import { benchGates } from "../../../bench/gates.ts";
import { benchIntervals } from "../../../bench/intervals.ts";
import { benchLighthouse } from "../../../bench/lighthouse-study.ts";
import { benchOverhead } from "../../../bench/overhead.ts";
import { benchPeer } from "../../../bench/peer.ts";
import { benchProcessing } from "../../../bench/processing.ts";
import { benchReport } from "../../../bench/report.ts";
import { benchSearches } from "../../../bench/searches.ts";
import { benchWorkers } from "../../../bench/workers.ts";
import { benchWorkersHere } from "../../../bench/workers-here.ts";
import { startProgress } from "../progress.ts";
import { aRun, lanes, loads, only, root, seed, userPaths, wholeNumber } from "./options.ts";

export function addTo(lab: Command): void {
  const bench = lab.command("bench").description("measure the lab itself").helpCommand(false);
  bench
    .command("overhead")
    .description("how much of a load's wall time is overhead, not page load time, in a block of spdy-initcwnd")
    .option("--loads <n>", "how many of the block's loads to make, in its random order", wholeNumber(2, 288))
    .action(benchOverhead);
  bench
    .command("peer")
    .description("compare the lab with browsertime on the same loads, in turn: wall time, page load time, scatter")
    .addOption(loads())
    .action(benchPeer);
  bench
    .command("clocks")
    .description("how long a load takes on each clock, and how much that varies")
    .addOption(loads())
    .action(benchClocks);
  bench
    .command("aa")
    .description(
      "compare each condition of a finished run with itself: how often the tables report a difference by chance",
    )
    .argument(...aRun)
    .action(benchAa);
  bench
    .command("intervals")
    .description("simulate runs: how often do the tables' intervals contain the true speedup?")
    .option("--runs <n>", "simulated runs of each kind", wholeNumber(10, 100_000), 300)
    .action(benchIntervals);
  bench
    .command("searches")
    .description("simulate ./lab advise: how often is the best change named, and do the intervals contain the truth?")
    .option("--runs <n>", "simulated searches of each kind", wholeNumber(10, 100_000), 200)
    .action(benchSearches);
  bench
    .command("lighthouse")
    .description("compare the savings that Lighthouse estimates with those that the lab measures for the same changes")
    .argument("<folder...>", "folders of sites, each with an index.html", userPaths)
    .option("--loads <n>", "fresh loads of each page", wholeNumber(5, 1000), 10)
    .addOption(lanes())
    .addOption(root())
    .action((sites: string[], options) => benchLighthouse(sites, { ...options, startProgress }));
  bench
    .command("gates")
    .description(
      "simulate gates from runs' loads: how many fail if an edit changes nothing, and how many if it makes the page slower?",
    )
    .argument("<run...>", "runs with 20 loads of each condition or more")
    .option("--gates <n>", "gates of each kind", wholeNumber(10, 100_000), 200)
    .action(benchGates);
  bench
    .command("priorities")
    .description(
      "the priorities that browsers request for each kind of resource, in 2023 and in a run of asked-priorities",
    )
    .argument(...aRun)
    .option("--qlogs <browser=file...>", "instead, print the priorities in the published qlogs as JSON")
    .action(benchPriorities);
  bench
    .command("processing")
    .description(
      "how much speedups depend on the virtual clock's processing time: an experiment, run with four values of this time",
    )
    .argument("<experiment>", "a name from ./lab list experiments")
    .option("--loads <n>", "loads of each condition", wholeNumber(1, 1000), 2)
    .addOption(only())
    .action(benchProcessing);
  bench
    .command("workers")
    .description("how many loads a second a run receives from simulated workers, and the run's CPU time and memory")
    .option("--workers <n>", "simulated workers", wholeNumber(1, 10_000))
    .option("--blocks <n>", "blocks of 288 loads", wholeNumber(1, 10_000))
    .option(
      "--here",
      "instead, make the same loads alternately with real workers on this machine and with as many local lanes, and compare the times",
    )
    .action(({ here, ...simulated }) => (here ? benchWorkersHere() : benchWorkers(simulated)));
  bench
    .command("report")
    .description("how long a long run's tables and report take, and how long a browser takes to open the report")
    .option("--loads <n>", "how many loads the run has: copies of those in results/block", wholeNumber(1, 4_000_000))
    .action(benchReport);
  bench
    .command("chaos")
    .description("kill -9 parts of the lab at random moments; print whether loads were lost or processes left behind")
    .option(
      "--workers",
      "instead, kill workers, the run or the queue's server, or pause a worker; compare the run's digest with that of a run on local lanes",
    )
    .option("--kills <n>", "how many kills", wholeNumber(1, 1000), 100)
    .addOption(seed("seed of the random moments").default(undefined, "a different one each time"))
    .action(benchChaos);
}
