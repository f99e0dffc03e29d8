import { ExitCode, LabError } from "../errors.ts";
import { checks } from "../substrate/checks.ts";

export async function doctor(): Promise<void> {
  let problems = 0;
  for (const { what, probe } of checks)
    await probe().then(
      (found) => console.log(`ok       ${what}: ${found}`),
      (error: Error) => {
        problems++;
        console.log(`missing  ${what}: ${error.message}`);
      },
    );
  if (problems) throw new LabError(ExitCode.machineCannot, `${problems} of ${checks.length} checks failed`);
}
