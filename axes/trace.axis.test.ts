import assert from "node:assert/strict";
import { test } from "node:test";
import type { DirectionParameters, Evidence } from "../schema/evidence.ts";
import { type Direction, directions } from "../schema/link.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { RateStep } from "../schema/rate-trace.ts";
import type { Registries } from "../schema/registries.ts";
import type { Axis } from "./axis.ts";
import { axis as rateAxes } from "./rate.axis.ts";
import { axis } from "./trace.axis.ts";

/** A handover from 4G to 5G with half a second at rate 0, as in shaper/rate-traces/handover.yml. */
const handover = (slow: number, fast: number): RateStep[] => [
  [4000, slow],
  [500, slow / 4],
  [500, 0],
  [500, fast / 2],
  [4500, fast],
];
const traces = {
  handover: { down: handover(8, 40), up: handover(3, 10) },
  later: { down: handover(8, 40).toReversed(), up: handover(3, 10).toReversed() },
  constant: { down: [[1000, 22.3]] as RateStep[], up: [[1000, 5.988]] as RateStep[] },
};
const registries = { traces } as unknown as Registries;
const all = { trace: "handover", down: 22.3, up: 5.988 } as ConditionValues;

interface Seen {
  startMbps: number;
  endMbps: number;
  run: { packets: number; bytes: number; ms: number; fromMs?: number };
}
/** Evidence of a real load: Page A over HTTP/2 on the link handover, on the virtual clock. */
const recorded: Record<Direction, Seen> & { trace: NonNullable<Evidence["link"]["trace"]> } = {
  trace: { offsetMs: 3595, navigationMs: 19.8, readMs: [1480, 1481] },
  down: { startMbps: 7.9988, endMbps: 19.97132, run: { packets: 207, bytes: 272619, ms: 1019.166, fromMs: 456.557 } },
  up: { startMbps: 2.997168, endMbps: 4.983784, run: { packets: 25, bytes: 7790, ms: 83.184, fromMs: 491.002 } },
};

const evidenceOf = ({ trace, ...seen }: typeof recorded): Evidence => {
  const ways = <T>(of: (way: Seen) => T) => Object.fromEntries(directions.map((way) => [way, of(seen[way])]));
  const rate = (rateMbps: number) => ({ rateMbps }) as DirectionParameters;
  return {
    link: { ...ways(({ startMbps, endMbps }) => ({ atStart: rate(startMbps), atEnd: rate(endMbps) })), trace },
    packets: { path: ways(({ run }) => ({ transit: { backToBack: run } })) },
    processor: {},
  } as unknown as Evidence;
};
const verdict = (value: string, evidence: Evidence) => {
  const found = axis.proves(value, all, evidence, registries);
  return typeof found === "object" ? Object.values(found).flat().join("; ") : found;
};

test("a recorded load confirms its trace, and contradicts another trace and the value `none`", () => {
  const evidence = evidenceOf(recorded);
  assert.equal(verdict("handover", evidence), "confirmed");
  assert.match(verdict("later", evidence), /when the load began, the link had down rateMbps/);
  assert.match(verdict("none", evidence), /the link's rate followed a trace; down: the rate changed from/);
  const [, down, up] = rateAxes as [(typeof rateAxes)[0], Axis<"down">, Axis<"up">];
  assert.equal(down.proves(22.3, all, evidence, registries), "confirmed");
  assert.equal(up.proves(5.988, all, evidence, registries), "confirmed");
});

test("a wrong offset in the trace is contradicted by the rates that the kernel reports, or else by the packets", () => {
  const { trace } = recorded;
  for (const offsetMs of [595, 2595, 4400, 7000])
    assert.notEqual(verdict("handover", evidenceOf({ ...recorded, trace: { ...trace, offsetMs } })), "confirmed");
  // If the rates that tc reads fit the wrong offset, the packets still contradict it.
  const wrong = { ...recorded, trace: { ...trace, offsetMs: 1000 } };
  wrong.down = { ...wrong.down, endMbps: recorded.down.startMbps };
  wrong.up = { ...wrong.up, endMbps: recorded.up.startMbps };
  assert.match(verdict("handover", evidenceOf(wrong)), /^down: 272619 bytes that waited for one another came from/);
});

test("a trace is contradicted if the evidence has no trace, or does not say when packets queued", () => {
  const { trace: _, ...link } = evidenceOf(recorded).link;
  assert.match(verdict("handover", { ...evidenceOf(recorded), link }), /the link's rate did not follow a trace/);
  const { fromMs: __, ...run } = recorded.down.run;
  const old = evidenceOf({ ...recorded, down: { ...recorded.down, run } });
  assert.match(verdict("handover", old), /down: the evidence lacks when its packets waited/);
});

test("rates other than the trace's averages are refused, and the message names the averages", () => {
  assert.equal(axis.refuses!("handover", all, registries), null);
  assert.equal(axis.refuses!("none", { ...all, down: 1 }, registries), null);
  assert.match(
    axis.refuses!("handover", { ...all, down: 5 }, registries)!,
    /down and up must be the trace's averages, 22\.3 and 5\.988 Mb\/s: give --link handover/,
  );
});
