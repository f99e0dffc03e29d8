import type { Command } from "commander";
import { ExitCode, LabError } from "../../../schema/errors.ts";
import { checks, virtualClockChecks } from "../../../substrate/checks.ts";
import { print } from "../../output/output.ts";
import { substrate } from "./options.ts";

async function doctor(): Promise<void> {
  let problems = 0;
  for (const { what, probe } of checks)
    await probe().then(
      (found) => print(`ok       ${what}: ${found}`),
      (error: Error) => {
        problems++;
        print(`missing  ${what}: ${error.message}`);
      },
    );
  for (const { what, probe } of virtualClockChecks)
    await probe().then(
      (found) => print(`ok       ${what}: ${found}`),
      (error: Error) => print(`later    ${what}: ${error.message}`), // only --clock virtual needs it
    );
  if (!problems) return print("This machine can run the lab: ./lab run");
  throw new LabError(
    ExitCode.machineCannot,
    `${problems} of ${checks.length} checks failed; ./lab run --clock virtual needs neither namespaces nor the programs that are missing above`,
  );
}

export const addTo = (lab: Command) =>
  lab
    .command("doctor")
    .description("check whether this machine can run the lab, and print what to do if not")
    .addOption(substrate())
    .action(doctor);
