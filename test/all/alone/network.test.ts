/** Tests that links on the real clock are as configured. faults.test.ts has links that are not as configured. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { linkTable } from "../../../harness/verify/verification.ts";
import { type Link, linkName } from "../../../schema/link.ts";
import { type Calibration, calibrationSchema } from "../../../schema/records.ts";
import { readLinks } from "../../../shaper/named-links.ts";
import { onHarnessHost } from "../../lab.ts";
import { quiet } from "../../retry.ts";

async function measure(links: Link[]): Promise<Calibration[]> {
  await quiet();
  const lines = await onHarnessHost("test/inside/measure-links.ts", JSON.stringify(links));
  return lines.map((line) => calibrationSchema.parse(JSON.parse(line)));
}

/** Two of the paper's eight links, which differ in every property. ../combinations.test.ts has other kinds of links. */
const links: Link[] = ["10x1-20ms-0%", "20x2-100ms-1%"].map((name) => readLinks()[name]!);

test("measured links have the configured RTT, rates, loss and queues", { timeout: 1_200_000 }, async (t) => {
  const calibrations = await measure(links);
  for (const { link, attempt, measured, deviations } of calibrations)
    t.diagnostic(`${link}, attempt ${attempt}: ${JSON.stringify(measured)} ${deviations.join("; ")}`);
  const final = calibrations.filter((calibration) => calibration.final);
  console.log(`\n${linkTable(final)}\n`);
  assert.deepEqual(
    final.map(({ link }) => link),
    links.map(linkName),
  );
  for (const { link, configured, deviations } of final) {
    assert.equal(linkName(configured), link);
    assert.deepEqual(deviations, [], link);
  }
});

test(
  "a response that begins during an outage continues within 50 ms after it (median), although the queue was empty before",
  { timeout: 300_000 },
  async (t) => {
    await quiet();
    const [line = ""] = await onHarnessHost("test/inside/after-outage.ts");
    const lateMs = (JSON.parse(line) as number[]).toSorted((a, b) => a - b);
    t.diagnostic(`late by ${lateMs.join(", ")} ms`);
    assert.ok(lateMs[0]! > 0 && lateMs[lateMs.length >> 1]! < 50, line); // without a timer, the token bucket would be half an outage late: 228 ms
  },
);
