import type { Command } from "commander";

/** The entry script `lab` runs the tests itself (test/run.sh). This command exists only for --help. */
export const addTo = (lab: Command) =>
  lab
    .command("test")
    .description(
      "install what is missing, and run what CI runs: types, format, and all tests except those in test/all/",
    )
    .argument("[files...]", "run only these test files, one at a time")
    .option("--all", "all tests, which takes hours")
    .option("--units", "only the unit tests, which are next to their code: a few minutes");
