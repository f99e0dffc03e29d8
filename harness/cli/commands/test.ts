// ./lab test: installs=lab,test,traces writes
import type { Command } from "commander";

/** The entry script runs the tests. The command is here for --help. */
export const addTo = (lab: Command) => lab.command("test").description("install what is missing, and run the tests");
