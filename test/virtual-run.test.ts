/** Runs that a user without privileges makes on the virtual clock are valid and reproducible, and can be resumed after kill -9. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { captureFolders, readCapture } from "../harness/record/captures.ts";
import { loadsIn } from "../harness/record/records.ts";
import { readTrace } from "../harness/record/traces.ts";
import { unprivileged, userIds } from "../hosts/rights.ts";
import type { LoadRecord } from "../schema/records.ts";
import { LabCopy, only, processesLeft, RunningLab } from "./lab.ts";

const withoutPrivileges = unprivileged("server");
const conditions = only("page=A", "servers=1", "link=20x2-100ms-1%", "initcwnd=10");
/** The number of loads of each condition. There are two conditions: h1 and h2. */
const loadsEach = 3;
const plannedLoads = 2 * loadsEach;
let copy: LabCopy;
let checkout: string;

before(async () => {
  copy = await LabCopy.make({ virtualClock: true, whole: true });
  checkout = copy.folder;
  if (process.getuid?.() === 0) execFileSync("chown", ["-R", `${userIds.server}:${userIds.server}`, checkout]);
});
after(() => copy?.remove());

/** Starts ./lab in the copy as nobody. */
const lab = (...words: string[]) => new RunningLab(words, { folder: checkout, prefix: withoutPrivileges });

const runFolder = ({ folder }: RunningLab) => folder && `${checkout}/${folder}`;

/** A file's lines, sorted because several lanes write them in arbitrary order. */
const lines = (folder: string, file: string) => readFileSync(`${folder}/${file}`, "utf8").trim().split("\n").sort();
function assertSameLines(run: string, other: string): void {
  for (const file of ["loads.jsonl", "calibration.jsonl", "lanes.jsonl"])
    assert.ok(lines(run, file).join() === lines(other, file).join(), file);
}
const conditionsOf = (loads: LoadRecord[]) => [...new Set(loads.map(({ condition }) => condition))].sort();

let first: { folder: string; loads: LoadRecord[] };
test("a user without privileges makes loads on the virtual clock, and verify finds them valid", async () => {
  const run = lab("run", "--clock", "virtual", ...conditions, "--loads", String(loadsEach), "--lanes", "2");
  assert.equal((await run.ended).code, 0, run.stderr);
  first = { folder: runFolder(run)!, loads: loadsIn(runFolder(run)!) };
  assert.equal(first.loads.filter(({ ok }) => ok).length, plannedLoads);
  const verified = lab("verify", first.folder);
  assert.equal((await verified.ended).code, 0, verified.stdout);
  assert.match(verified.stdout, new RegExp(`Valid: ${plannedLoads} of ${plannedLoads}`));
  const [lane] = lines(first.folder, "lanes.jsonl").map(
    (line) => JSON.parse(line) as { clock: string; shaper: { name: string } },
  );
  assert.deepEqual([lane?.clock, lane?.shaper.name], ["virtual", "kernel"]);
});

test("traces have each connection's congestion window as the server's TCP reports it; this window starts at the configured initcwnd", () => {
  const traces = first.loads.flatMap((load) => (load.ok && load.trace ? [readTrace(first.folder, load.trace)] : []));
  assert.equal(traces.length, 2);
  const used = traces.flatMap(({ flows }) => flows.filter(({ down }) => down.bytes.some((bytes) => bytes > 0)));
  // A connection whose SYN was retransmitted begins with a window of 1.
  for (const { states } of used)
    assert.ok([1, 10].includes(states!.windowSegments[0]!), `${states?.windowSegments[0]}`);
  assert.ok(used.some(({ states }) => Math.max(...states!.windowSegments) > 10));
});

test("--capture saves the packets of extra loads so that tshark can decrypt them, and does not change the run", async () => {
  const before = readFileSync(`${first.folder}/loads.jsonl`, "utf8");
  const capturing = lab("run", "--resume", first.folder, "--capture", "--lanes", "1");
  assert.equal((await capturing.ended).code, 0, capturing.stderr);
  const folders = captureFolders(first.folder);
  assert.deepEqual(folders.map((path) => readCapture(path).condition).sort(), conditionsOf(first.loads));
  for (const folder of folders) {
    const field = folder.includes("_h2_") ? "http2.headers.path" : "http.request.uri";
    const words = ["-r", `${folder}/packets.pcapng`, "-Y", field, "-T", "fields", "-E", "separator=,", "-e", field];
    const asked = execFileSync("tshark", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const paths = asked.split(/[,\s]+/).filter((path) => path.startsWith("/A/"));
    assert.ok(new Set(paths).size === 102, `${folder}: ${new Set(paths).size} paths`);
    assertFilm(folder);
  }
  assert.equal(readFileSync(`${first.folder}/loads.jsonl`, "utf8"), before);
  const verified = lab("verify", first.folder);
  assert.equal((await verified.ended).code, 0, verified.stdout);
  assert.match(verified.stdout, /captures\/ has 2 extra loads: they are not samples/);
});

/** Asserts that the film's first frame with content is less than 1/60 s from the browser's first contentful paint. */
function assertFilm(folder: string): void {
  const { film } = readCapture(folder);
  const { evidence } = JSON.parse(readFileSync(`${folder}/load.json`, "utf8")).load as LoadRecord;
  const firstShown = film!.frames.find(({ completeness }) => completeness > 0)!;
  assert.ok(
    Math.abs(firstShown.ms - evidence!.paint!.firstContentfulMs!) < 1000 / 60,
    `${folder}: ${firstShown.ms} ms`,
  );
  assert.equal(film!.frames.at(-1)!.completeness, 1);
  assert.ok(film!.speedIndexMs >= firstShown.ms, `${folder}: Speed Index ${film!.speedIndexMs} ms`);
}

test(
  "after kill -9 of a guest and then of the runner, no process is left, and the resumed run has the same lines",
  {
    timeout: 600_000,
  },
  async () => {
    const run = lab("run", "--clock", "virtual", ...conditions, "--loads", String(loadsEach), "--lanes", "1");
    const guests = () => processesLeft().filter(({ command }) => command.includes("time-travel=inf-cpu"));
    const made = () => (runFolder(run) ? loadsIn(runFolder(run)!).length : 0);
    const until = async (condition: () => boolean) => {
      for (const end = Date.now() + 180_000; !condition(); await sleep(20))
        assert.ok(Date.now() < end && run.child.exitCode === null, run.stderr);
    };
    await until(() => made() >= 2);
    process.kill(guests()[0]!.pid, "SIGKILL");
    await until(() => /a lane ended early/.test(run.stderr) && made() >= 5);
    run.child.kill("SIGKILL");
    assert.equal((await run.ended).code, "SIGKILL");
    for (const end = Date.now() + 5000; processesLeft().length && Date.now() < end; ) await sleep(50);
    assert.deepEqual(
      processesLeft().map(({ command }) => command),
      [],
    );
    const resumed = lab("run", "--resume", runFolder(run)!, "--lanes", "2");
    assert.equal((await resumed.ended).code, 0, resumed.stderr);
    assertSameLines(runFolder(run)!, first.folder);
    assert.deepEqual(
      readdirSync(`${checkout}/.lab`).filter((name) => name === "guests"),
      [],
    );
  },
);
