import type { Command } from "commander";
import { ExitCode, LabError } from "../../../schema/errors.ts";
import { type Check, checks, diskCheck, virtualClockChecks } from "../../../substrate/checks.ts";
import { print } from "../../output/output.ts";
import { substrate } from "./options.ts";

async function doctor(): Promise<void> {
  const failed: Check[] = [];
  for (const check of checks)
    await check.probe().then(
      (found) => print(`ok       ${check.what}: ${found}`),
      (error: Error) => {
        failed.push(check);
        print(`missing  ${check.what}: ${error.message}`);
      },
    );
  for (const { what, probe } of virtualClockChecks)
    await probe().then(
      (found) => print(`ok       ${what}: ${found}`),
      (error: Error) => print(`later    ${what}: ${error.message}`), // only --clock virtual needs it
    );
  if (!failed.length) return print("This machine can run the lab: ./lab run");
  const instead = failed.includes(diskCheck)
    ? ""
    : "; ./lab run --clock virtual needs neither namespaces nor the programs that are missing above";
  throw new LabError(ExitCode.machineCannot, `${failed.length} of ${checks.length} checks failed${instead}`);
}

export const addTo = (lab: Command) =>
  lab
    .command("doctor")
    .description("check whether this machine can run the lab, and print what to do if not")
    .addOption(substrate())
    .action(doctor);
