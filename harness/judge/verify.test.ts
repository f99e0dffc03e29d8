/** The reference run is vouched for; the same run, changed in one place, is not, and the place is named. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Calibration, GoodLoad, LoadRecord } from "../../schema/records.ts";
import { type LoadLine, readSavedRun, type SavedRun } from "../record/records.ts";
import { openRun, referenceRun, virtualReferenceRun } from "../record/run-folder.ts";
import { renderVerification } from "../report/verification.ts";
import { verify } from "./verify.ts";

const { folder, manifest } = openRun(referenceRun);
const saved = readSavedRun(folder, manifest);
const line = { bytes: Buffer.alloc(0), offset: 0 };
const loads = [...saved.loads()].flatMap((one) => ("load" in one ? [one.load] : []));
/** The run with these lines. */
const withLoads = (records: LoadRecord[], others: LoadLine[] = []): SavedRun => ({
  ...saved,
  loads: () => [...records.map((load): LoadLine => ({ line, load })), ...others],
});
const isVictim = (load: LoadRecord) => load.ok && load.condition === "A/2s/10x1-100ms-0%/h2/iw3" && load.block === 1;
const victim = loads.find(isVictim) as GoodLoad;

const honest = (run: SavedRun) => {
  const { doubted, missing, tornLines, problems, losses, neverShown, loads: count, vouched } = verify(run);
  assert.deepEqual([doubted, problems, neverShown], [[], [], []]);
  assert.deepEqual([missing, tornLines], [0, 0]);
  assert.deepEqual(
    losses.filter((loss) => !loss.honest),
    [],
  );
  assert.equal(vouched, count);
  assert.ok(count > 500);
  assert.match(renderVerification(verify(run)), new RegExp(`Vouched for: ${count} of ${count} loads`));
};

test("every load of the reference run is vouched for", () => honest(saved));

test("every load of the reference run on the virtual clock is vouched for", () => {
  const run = openRun(virtualReferenceRun);
  assert.equal(run.manifest.clock, "virtual");
  honest(readSavedRun(run.folder, run.manifest));
});

/** Doubts on the run with its victim changed. */
function doubtsOf(change: (load: GoodLoad) => void, alter: (run: SavedRun) => SavedRun = (run) => run): string {
  const changed = loads.map((load) => (isVictim(load) ? structuredClone(load) : load));
  for (const load of changed) if (isVictim(load)) change(load as GoodLoad);
  const own = verify(alter(withLoads(changed))).doubted.filter(
    ({ condition, block }) => condition === victim.condition && block === 1,
  );
  return own.flatMap(({ reasons }) => reasons).join("\n");
}
const unchanged = () => {};
const flowsOf = (load: GoodLoad) => load.evidence.packets.flows.flatMap(({ server }) => server ?? []);

const changed: Record<string, [(load: GoodLoad) => void, RegExp]> = {
  "a time that the browser did not say": [
    (load) => Object.assign(load, { pageLoadMs: load.pageLoadMs - 100 }),
    /its page load time is .* ms, the browser's timing says/,
  ],
  "a row that names another link": [
    (load) => Object.assign(load, { rttMs: 20 }),
    /its row says rttMs 20, the manifest 100/,
  ],
  "a row with a field of its own": [
    (load) => Object.assign(load, { colour: "red" }),
    /its row has a field colour, which is no axis's/,
  ],
  "another protocol": [
    (load) => {
      for (const connection of load.evidence.connections) connection.protocol = "http/1.1";
    },
    /responses over http\/1\.1 instead of h2/,
  ],
  "another congestion control": [
    (load) => {
      for (const server of flowsOf(load)) server.congestion = "bbr";
    },
    /congestion control bbr instead of cubic/,
  ],
  "another initial window": [
    (load) => {
      for (const server of flowsOf(load)) server.initcwnd = { atLeast: 10, atMost: 10 };
    },
    /initcwnd at least 10 instead of 3/,
  ],
  "another lane": [(load) => Object.assign(load, { lane: 99 }), /no lane 99 says what it ran on/],
};
for (const [what, [change, message]] of Object.entries(changed))
  test(`is named: ${what}`, () => assert.match(doubtsOf(change), message));

test("a load that is not planned is named, and the planned one is missing", () => {
  for (const change of [{ condition: "A/2s/10x1-100ms-0%/h2/iw42" }, { block: 99 }]) {
    const foreign = { ...victim, ...change };
    const { doubted, missing } = verify(withLoads(loads.map((load) => (isVictim(load) ? foreign : load))));
    assert.equal(missing, 1);
    assert.match(doubted.flatMap(({ reasons }) => reasons).join(), /it is not in the plan/);
  }
});

test("a load twice is named", () => {
  const { doubted } = verify(withLoads([...loads, victim]));
  assert.match(doubted.flatMap(({ reasons }) => reasons).join(), /its block has this condition already/);
});

test("missing and torn lines are counted, and whole ones that are no records are named", () => {
  const others: LoadLine[] = [
    { line, torn: true },
    { line: { ...line, offset: 7 }, problem: "evidence: Required" },
  ];
  const { missing, tornLines, problems } = verify(
    withLoads(
      loads.filter((load) => !isVictim(load)),
      others,
    ),
  );
  assert.deepEqual([missing, tornLines, problems], [1, 1, ["loads.jsonl, byte 7: evidence: Required"]]);
});

test("a condition of which --until knew enough misses nothing", () => {
  const five = [1, 2, 3, 4, 5].map((block) => ({ ...victim, block }));
  const only = ["page=A", "servers=2", "link=10x1-100ms-0%", "protocol=h2", "initcwnd=3"];
  const run = { ...withLoads(five), manifest: { ...manifest, only, loads: 20 } };
  assert.equal(verify(run).missing, 15);
  assert.equal(verify({ ...run, manifest: { ...run.manifest, untilPercent: 1 } }).missing, 0);
});

test("a condition of which no load shows an axis is named; one of which another load does is not", () => {
  const blind = (block: number): GoodLoad => {
    const load = structuredClone({ ...victim, block });
    load.evidence.link.up.queueDroppedPackets = 1;
    for (const server of flowsOf(load)) server.initcwnd = null;
    return load;
  };
  const { doubted, neverShown } = verify(withLoads([blind(1), blind(2)]));
  assert.deepEqual(doubted, []);
  assert.deepEqual(neverShown, [{ condition: victim.condition, axis: "initcwnd", loads: 2 }]);
  assert.deepEqual(verify(withLoads([blind(1), { ...victim, block: 2 }])).neverShown, []);
});

test("a link that was never measured, was wrong before, or drifted after is named", () => {
  const own = ({ link }: Calibration) => link === "10x1-100ms-0%";
  const calibrated = (of: (calibrations: Calibration[]) => Calibration[]) =>
    doubtsOf(unchanged, (run) => ({ ...run, calibrations: of(run.calibrations) }));
  assert.match(
    calibrated((all) => all.filter((one) => !own(one))),
    /its link was not measured before it/,
  );
  const wrong = calibrated((all) =>
    all.map((one) => (own(one) ? { ...one, measured: { ...one.measured, rttMs: { median: 60, p99: 61 } } } : one)),
  );
  assert.match(wrong, /wrong link: RTT with serialisation, ms: asked 100\.65, measured 60\.00/);
  const drifted = calibrated((all) => {
    const vouching = saved.lanes.find(({ lane }) => lane === victim.lane)!.calibrations["10x1-100ms-0%"];
    const at = all.findIndex(({ calibration }) => calibration === vouching);
    const { measured, ...one } = all[at]!;
    const later = { ...one, calibration: "later", measured: { ...measured, up: { ...measured.up, rateMbps: 2 } } };
    return [...all.slice(0, at + 1), later, ...all.slice(at + 1)];
  });
  assert.match(drifted, /drifted link: up rate, Mb\/s: asked 1\.00, measured 2\.00/);
});

test("a direction that loses nothing, or too much, is named though every load by itself is possible", () => {
  const without = structuredClone(loads);
  for (const load of without) if (load.link === "20x2-20ms-1%") load.evidence!.link.up.lostPackets = 0;
  const { losses } = verify(withLoads(without));
  assert.deepEqual(
    losses.flatMap(({ link, direction, honest: fine }) => (fine ? [] : [[link, direction]])),
    [["20x2-20ms-1%", "up"]],
  );
});

test("no lane, or a lane on another clock, is named", () => {
  assert.match(
    doubtsOf(unchanged, (run) => ({ ...run, lanes: [] })),
    /no lane \d+ says what it ran on/,
  );
  assert.match(
    doubtsOf(unchanged, (run) => ({ ...run, lanes: run.lanes.map((lane) => ({ ...lane, clock: "virtual" })) })),
    /its lane's clock is virtual, the run's real/,
  );
});
