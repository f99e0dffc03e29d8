import { ExitCode, LabError } from "../../schema/errors.ts";
import { checks, kernelCheck } from "../../substrate/checks.ts";

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
  await kernelCheck.probe().then(
    (found) => console.log(`ok       ${kernelCheck.what}: ${found}`),
    (error: Error) => console.log(`later    ${kernelCheck.what}: ${error.message}`), // the real clock does without
  );
  if (problems) throw new LabError(ExitCode.machineCannot, `${problems} of ${checks.length} checks failed`);
}
