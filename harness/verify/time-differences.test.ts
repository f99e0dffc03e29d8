import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoadRecord } from "../../schema/records.ts";
import { blockRun } from "../record/find-run.ts";
import { readRun } from "../record/records.ts";
import { conditions } from "../tables/synthetic-loads.fixture.ts";
import { timeDifferences } from "./time-differences.ts";

test("over a link with an RTT of 0, time differences are given in percent, but not in round trips", () => {
  const [good] = [...readRun(blockRun).loads()].flatMap((line) => ("load" in line && line.load.ok ? [line.load] : []));
  const none = { lostPackets: 0, queueDroppedPackets: 0 };
  const { link } = good!.evidence;
  const evidence = { ...good!.evidence, link: { down: { ...link.down, ...none }, up: { ...link.up, ...none } } };
  const lasting = (pageLoadMs: number): LoadRecord => ({ ...good!, evidence, pageLoadMs });
  const [condition] = conditions({ link: ["10x1-20ms-0%"] });
  const over = (rttMs: number) => {
    const settings = { ...condition!.settings, link: { ...condition!.settings.link, rttMs } };
    return { block: 1, attempt: 1, condition: { ...condition!, settings } };
  };
  const compared = (rttMs: number, nowMs: number) => timeDifferences([over(rttMs)], [lasting(100)], [lasting(nowMs)]);
  assert.deepEqual(compared(20, 110), { timesPercent: 10, lossless: { loads: 1, roundTrips: 0.5 } });
  assert.deepEqual(compared(0, 110), { timesPercent: 10, lossless: { loads: 0, roundTrips: 0 } });
  assert.deepEqual(compared(0, 100), { timesPercent: 0, lossless: { loads: 0, roundTrips: 0 } });
});
