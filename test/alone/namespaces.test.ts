/** One run in network namespaces on the real clock: stopped by Ctrl-C, resumed to its end, every load valid and confirmed by verify. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { loadsIn } from "../../harness/record/records.ts";
import { ExitCode } from "../../schema/errors.ts";
import { LabCopy, onHarnessHost, processesLeft, RunningLab } from "../lab.ts";
import { again, quiet, whyItGoesOn } from "../retry.ts";

const skip = process.getuid?.() === 0 ? false : "network namespaces require root privileges here";
const asked = [
  ...["run", "--substrate", "netns", "--loads", "1", "--only", "page=A", "--only", "servers=1,4"],
  ...["--only", "link=20x2-20ms-0%", "--only", "initcwnd=10", "--with", "server=nginx,node"],
];
/** One load from each of two server programs, over each of HTTP/1.1 and HTTP/2, from one host and from four. */
const planned = 2 * 2 * 2;

let copy: LabCopy;
before(async () => {
  if (!skip) copy = await LabCopy.make();
});
after(() => copy?.remove());

/** Starts a run, and waits until it has two loads or has ended. */
async function startUntilTwoLoads(): Promise<RunningLab> {
  const run = new RunningLab(asked, { folder: copy.folder });
  const loads = () => (run.folder ? loadsIn(`${copy.folder}/${run.folder}`).length : 0);
  while (run.child.exitCode === null && loads() < 2) await sleep(100);
  return run;
}

test(
  "a run that was interrupted is resumed to its end, and verify finds every load valid",
  { skip, timeout: 900_000 },
  async (t) => {
    await quiet();
    const first = await again(t, startUntilTwoLoads, ({ child, folder }) =>
      whyItGoesOn(child.exitCode, `${copy.folder}/${folder}`),
    );
    assert.equal(first.child.exitCode, null, first.stderr);
    first.child.kill("SIGINT");
    const { code, stderr } = await first.ended;
    assert.equal(code, ExitCode.interrupted, stderr);
    const run = first.folder!;
    const folder = `${copy.folder}/${run}`;
    assert.match(stderr, new RegExp(`./lab run --resume ${run}`));
    assert.deepEqual(processesLeft(), []);

    const resumed = await again(
      t,
      () => copy.lab("run", "--resume", run),
      (ending) => whyItGoesOn(ending.code, folder),
    );
    assert.equal(resumed.code, ExitCode.done, resumed.stderr);
    const all = loadsIn(folder);
    const loads = all.flatMap((load) => (load.ok ? [load] : []));
    // The last packets of a load from four hosts cross the link of the next load, so every load must observe all hosts.
    const unseen = all.flatMap((load) => (!load.ok && /the shaper/.test(load.reason) ? [load.reason] : []));
    assert.deepEqual(unseen, []);
    assert.equal(new Set(loads.map(({ condition }) => condition)).size, planned);
    assert.equal(loads.length, planned);
    for (const { evidence, servers } of loads) {
      assert.equal(new Set(evidence.connections.map(({ host }) => host)).size, servers);
      assert.ok(evidence.processor.pauses, "as root, the lab records the machine's pauses");
    }
    const verified = await copy.lab("verify", run);
    assert.equal(verified.code, ExitCode.done, verified.stdout);
    assert.match(verified.stdout, new RegExp(`${planned} of ${planned} loads`));
  },
);

test("all packets of a virtual cable are received on one CPU, so that they keep their order", { skip }, async () => {
  const masks = await onHarnessHost("test/inside/receiving-cpus.ts");
  assert.deepEqual(masks, Array(8).fill("1")); // the client's device; ports for the client, four servers, and two for the router
});
