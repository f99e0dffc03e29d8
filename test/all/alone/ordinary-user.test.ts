/** A user who is not root makes loads in network namespaces, on the real clock. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { loadsIn } from "../../../harness/record/records.ts";
import { unprivileged, userIds } from "../../../hosts/rights.ts";
import { ExitCode } from "../../../schema/errors.ts";
import { LabCopy, RunningLab } from "../../lab.ts";
import { again, isBusy, quiet } from "../../retry.ts";

const skip = process.getuid?.() === 0 ? false : "only root can start the lab as another user";

test(
  "a user other than root can make loads; the evidence lacks the machine's pauses, which only root can measure",
  { skip, timeout: 900_000 },
  async (t) => {
    const own = await LabCopy.make({ whole: true });
    t.after(() => own.remove());
    execFileSync("chown", ["-R", `${userIds.server}:${userIds.server}`, own.folder]);
    const words = ["--loads", "1", "--only", "page=A", "--only", "servers=1", "--only", "link=20x2-20ms-0%"];
    const where = { folder: own.folder, prefix: unprivileged("server") };
    await quiet();
    const { run, stderr } = await again(
      t,
      async () => {
        const run = new RunningLab(["run", "--substrate", "netns", ...words, "--only", "initcwnd=10"], where);
        return { run, ...(await run.ended) };
      },
      ({ code }) => (code === ExitCode.wrongLink ? ["a link was out of tolerance"] : []),
    );
    if (/cannot make network namespaces/.test(stderr)) return t.skip("ordinary users may not create namespaces here");
    assert.ok(run.folder, stderr);
    const loads = loadsIn(`${own.folder}/${run.folder}`);
    // Loads that were refused because of a busy machine count here, because they were made.
    assert.ok(loads.length > 0 && loads.every((load) => load.ok || isBusy(load.reason)), stderr);
    for (const load of loads) if (load.ok) assert.equal(load.evidence.processor.pauses, undefined);
  },
);
