import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../../schema/evidence.ts";
import type { GoodLoad, Lane } from "../../../schema/records.ts";
import { blockRun } from "../../record/find-run.ts";
import { readSavedRun } from "../../record/records.ts";
import { openRun } from "../../record/run-folder.ts";
import { fingerprintsOf } from "../load/fingerprints.ts";
import { Neighbours } from "./neighbours.ts";

const { folder, manifest } = openRun(blockRun);
const good = [...readSavedRun(folder, manifest).loads()].flatMap((line): GoodLoad[] =>
  "load" in line && line.load.ok ? [line.load] : [],
);
const any = good[0] as GoodLoad;

/** Returns the problems of a second load whose evidence is a copy of the first load's evidence, changed by `alter`. */
function second(
  requests: number,
  alter: (evidence: Evidence) => void,
  make: (evidence: Evidence) => void = () => {},
  lanes: ReadonlyMap<number, Lane> = new Map(),
): string {
  const first = structuredClone(any);
  first.evidence.requests = requests;
  make(first.evidence);
  const copy = structuredClone(first);
  alter(copy.evidence);
  const neighbours = new Neighbours([first.condition], manifest, lanes);
  const placed = (load: GoodLoad) => ({
    ...load,
    chunk: load.lane,
    cause: null,
    fingerprints: fingerprintsOf(load.evidence),
  });
  neighbours.see(placed(first));
  return neighbours.see({ ...placed(copy), block: 2, startedAt: "2100-01-01T00:00:00.000Z" }).join();
}

const otherPort = ({ packets }: Evidence) => void packets.flows[0]!.clientPort++;

test("two loads with the same times are reported if they have ten requests; the times of one request may agree by chance", () => {
  assert.match(second(10, otherPort), /another load has the same evidence/);
  assert.equal(second(1, otherPort), "");
});

test("a client that is not a browser may repeat the same times, but not the same ports", () => {
  const parsesNothing = ({ timing }: Evidence) => void delete timing.domContentLoadedEventStart;
  assert.equal(second(10, otherPort, parsesNothing), "");
  assert.match(
    second(10, () => {}, parsesNothing),
    /another load has the same evidence/,
  );
});

test("two loads with the same connections and ports are reported, however small the page is", () => {
  assert.match(
    second(1, ({ timing }) => void timing.loadEventStart!++),
    /another load has the same evidence/,
  );
});

test("on the real clock two loads at the same time are reported if one machine made them, but not if two machines did", () => {
  const overlapping = (...kernels: string[]) => {
    const lanes = new Map(kernels.map((kernel, lane) => [lane, { clock: "real", machine: { kernel } } as Lane]));
    const neighbours = new Neighbours([any.condition], manifest, lanes);
    const load = { ...any, cause: null, wallMs: 900, fingerprints: [] };
    neighbours.see({ ...load, chunk: 0, startedAt: "2026-01-01T00:00:00.000Z" });
    return neighbours.see({ ...load, chunk: 1, block: 2, startedAt: "2026-01-01T00:00:00.500Z" }).join();
  };
  assert.match(overlapping("6.1", "6.1"), /while lane 0 was making a load on the same machine/);
  assert.doesNotMatch(overlapping("6.1", "6.12"), /on the same machine/);
});

const onVirtualClock = new Map([[any.lane, { clock: "virtual", startedAt: any.startedAt } as Lane]]);

test("on the virtual clock the one-way delays of two loads may be equal by chance; on the real clock this is reported", () => {
  const samePath = (evidence: Evidence) => {
    otherPort(evidence);
    evidence.timing.loadEventStart!++;
    for (const { requests } of evidence.connections)
      for (const request of requests) request.endMs = (request.endMs ?? 0) + 1;
  };
  assert.match(second(10, samePath), /another load has the same evidence/);
  assert.doesNotMatch(second(10, samePath, undefined, onVirtualClock), /same evidence/);
  assert.match(second(10, otherPort, undefined, onVirtualClock), /another load has the same evidence/);
});

test("on the virtual clock, a load may begin 1,000 or 1,006 ms after the end of the previous load, but not 1,100 ms", () => {
  const after = (ms: number) => {
    const neighbours = new Neighbours([any.condition], manifest, onVirtualClock);
    const load = { ...any, chunk: any.lane, cause: null, wallMs: 900, fingerprints: [] };
    neighbours.see({ ...load, startedAt: "2026-01-01T00:00:00.000Z" });
    const startedAt = new Date(Date.parse("2026-01-01T00:00:00.900Z") + ms).toISOString();
    return neighbours.see({ ...load, block: 2, startedAt }).join();
  };
  assert.equal(after(1000), "");
  assert.equal(after(1006), ""); // seen in results/why/a-h2
  assert.match(after(1100), /it began 1100 ms after the previous load; on the virtual clock the pause is 1000 ms/);
  assert.match(after(3000), /it began 3000 ms after/);
});
