// ./lab test: installs=lab,test,studies writes
import type { Command } from "commander";

/** The entry script `lab` runs the tests. This command exists for --help only. */
export const addTo = (lab: Command) => lab.command("test").description("install what is missing, and run the tests");
