/** The reference run is vouched for; the same run, changed in one place, is not, and the place is named. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openRun, readSavedRun, referenceRun, virtualReferenceRun } from "../record/run-folder.ts";
import { renderVerification } from "../report/verification.ts";
import { type GoodLoad, type SavedRun, verify } from "./verify.ts";

const { folder, manifest } = openRun(referenceRun);
const reference = readSavedRun(folder, manifest);
const isVictim = (load: SavedRun["loads"][number]) =>
  load.ok && load.condition === "A/2s/10x1-100ms-0%/h2/iw3/nginx/cubic" && load.block === 1;
const victim = reference.loads.find(isVictim) as GoodLoad;

test("every load of the reference run is vouched for", () => {
  const { verdicts, missing, tornLines, losses } = verify(reference);
  assert.deepEqual(
    verdicts.flatMap(({ load, doubts }) => (doubts.length ? [`${load.condition}: ${doubts.join("; ")}`] : [])),
    [],
  );
  assert.deepEqual([missing, tornLines], [0, 0]);
  assert.deepEqual(
    losses.filter(({ honest }) => !honest),
    [],
  );
  assert.match(
    renderVerification(verify(reference)),
    new RegExp(`Vouched for: ${verdicts.length} of ${verdicts.length} loads`),
  );
});

test("every load of the reference run on the virtual clock is vouched for", () => {
  const run = openRun(virtualReferenceRun);
  assert.equal(run.manifest.clock, "virtual");
  const { verdicts, missing, losses } = verify(readSavedRun(run.folder, run.manifest));
  assert.deepEqual(
    verdicts.flatMap(({ load, doubts }) => (doubts.length ? [`${load.condition}: ${doubts.join("; ")}`] : [])),
    [],
  );
  assert.equal(missing, 0);
  assert.deepEqual(
    losses.filter(({ honest }) => !honest),
    [],
  );
});

/** Doubts on the run with its victim changed. */
function doubtsOf(change: (load: GoodLoad) => void, run: (saved: SavedRun) => SavedRun = (saved) => saved): string {
  const loads = reference.loads.map((load) => (isVictim(load) ? structuredClone(load) : load));
  loads.filter(isVictim).forEach((load) => change(load as GoodLoad));
  return verify(run({ ...reference, loads }))
    .verdicts.flatMap(({ load, doubts }) => (isVictim(load) ? doubts : []))
    .join("\n");
}

const changed: Record<string, [(load: GoodLoad) => void, RegExp]> = {
  "a time that the browser did not say": [
    (load) => void (load.pageLoadMs -= 100),
    /its page load time is .* ms, the browser's timing says/,
  ],
  "a row that names another link": [(load) => void (load.rttMs = 20), /its row says rttMs 20, the manifest 100/],
  "another protocol": [
    (load) => load.evidence.connections.forEach((connection) => void (connection.protocol = "http/1.1")),
    /responses over http\/1\.1 instead of h2/,
  ],
  "another congestion control": [
    (load) => load.evidence.packets!.flows.forEach(({ server }) => server && (server.congestion = "bbr")),
    /congestion control bbr instead of cubic/,
  ],
  "another initial window": [
    (load) =>
      load.evidence.packets!.flows.forEach(({ server }) => server && (server.initcwnd = { atLeast: 10, atMost: 10 })),
    /initcwnd at least 10 instead of 3/,
  ],
  "evidence that is not there": [(load) => void delete load.evidence.packets, /no packets were captured/],
};
for (const [what, [change, message]] of Object.entries(changed))
  test(`is named: ${what}`, () => assert.match(doubtsOf(change), message));

test("a load that is not planned is named, and the planned one is missing", () => {
  for (const change of [{ condition: "A/2s/10x1-100ms-0%/h2/iw42/nginx/cubic" }, { block: 99 }]) {
    const foreign = { ...victim, ...change };
    const { verdicts, missing } = verify({
      ...reference,
      loads: reference.loads.map((load) => (isVictim(load) ? foreign : load)),
    });
    assert.equal(missing, 1);
    assert.match(verdicts.find(({ load }) => load === foreign)!.doubts.join(), /it is not in the plan/);
  }
});

test("a load twice is named", () => {
  const twice = verify({ ...reference, loads: [...reference.loads, victim] });
  assert.match(twice.verdicts.at(-1)!.doubts.join(), /its block has this condition already/);
});

test("missing and torn lines are counted", () => {
  const { missing, tornLines } = verify({
    ...reference,
    loads: reference.loads.filter((load) => !isVictim(load)),
    tornLines: 1,
  });
  assert.deepEqual([missing, tornLines], [1, 1]);
});

test("a condition of which --until knew enough misses nothing", () => {
  const five = [1, 2, 3, 4, 5].map((block) => ({ ...victim, block }));
  const run = {
    ...reference,
    loads: five,
    manifest: {
      ...manifest,
      only: ["page=A", "servers=2", "channel=10x1-100ms-0%", "protocol=h2", "initcwnd=3"],
      loads: 20,
    },
  };
  assert.equal(verify(run).missing, 15);
  assert.equal(verify({ ...run, manifest: { ...run.manifest, untilPercent: 1 } }).missing, 0);
});

test("a link that was never measured, was wrong before, or drifted after is named", () => {
  const own = (load: { channel: { name: string } }) => load.channel.name === victim.channel;
  const without = doubtsOf(
    () => {},
    (run) => ({ ...run, calibrations: run.calibrations.filter((line) => !own(line)) }),
  );
  assert.match(without, /its link was not measured before it/);
  const wrong = doubtsOf(
    () => {},
    (run) => ({
      ...run,
      calibrations: run.calibrations.map((line) =>
        own(line) ? { ...line, measured: { ...line.measured, rttMs: { median: 60, p99: 61 } } } : line,
      ),
    }),
  );
  assert.match(wrong, /wrong link: RTT with serialisation, ms: asked 100\.65, measured 60\.00/);
  const later = {
    ...reference.calibrations.find((line) => own(line) && line.final)!,
    measuredAt: "2100-01-01T00:00:00.000Z",
  };
  const drifted = doubtsOf(
    () => {},
    (run) => ({
      ...run,
      calibrations: [
        ...run.calibrations.filter(({ measuredAt }) => measuredAt <= victim.startedAt),
        { ...later, measured: { ...later.measured, up: { ...later.measured.up, rateMbps: 2 } } },
      ],
    }),
  );
  assert.match(drifted, /drifted link: up rate, Mb\/s: asked 1\.00, measured 2\.00/);
});

test("a direction that loses nothing, or too much, is named though every load by itself is possible", () => {
  const without = structuredClone(reference.loads).map((load) => {
    if (load.channel === "20x2-20ms-1%") load.evidence!.link!.up.lostPackets = 0;
    return load;
  });
  const { losses } = verify({ ...reference, loads: without });
  assert.deepEqual(
    losses.filter(({ honest }) => !honest).map(({ channel, direction }) => [channel, direction]),
    [["20x2-20ms-1%", "up"]],
  );
});

test("no lane, or a lane on another clock, is named", () => {
  assert.match(
    doubtsOf(
      () => {},
      (run) => ({ ...run, lanes: [] }),
    ),
    /no lane says what it ran on/,
  );
  assert.match(
    doubtsOf(
      () => {},
      (run) => ({ ...run, lanes: run.lanes.map((lane) => ({ ...lane, clock: "virtual" })) }),
    ),
    /its lane's clock is virtual, the run's real/,
  );
});
