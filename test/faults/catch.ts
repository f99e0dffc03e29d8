/** Tests that each fault of the lab is detected with a message that names it; prints a table of faults. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { markdownTable } from "markdown-table";
import { makePrograms } from "../../servers/made.ts";
import { burner } from "../burner.ts";
import type { Caught } from "../inside/run-fault.ts";
import { onHarnessHost } from "../lab.ts";
import { again, isBusy } from "../retry.ts";
import { cpuHog } from "./packets.ts";
import type { LabFault } from "./registry.ts";

/** Applies these faults one after the other, in a lab that is started for them. @returns what detected each fault */
async function catchOnOneLab(faults: LabFault[]): Promise<Caught[]> {
  const hog = faults.some(({ inLab }) => inLab === cpuHog) ? burner() : null;
  try {
    const lines = await onHarnessHost("test/inside/run-fault.ts", ...faults.map(({ what }) => what));
    return lines.map((line) => JSON.parse(line) as Caught);
  } finally {
    hog?.kill("SIGKILL");
  }
}

export function testFaults(faults: LabFault[]): void {
  const rows: string[][] = [];
  const together = faults.filter(({ inLab }) => !inLab.lasts);
  const caughtTogether = new Map<LabFault, Caught>();
  before(async () => {
    await makePrograms(faults.flatMap(({ inLab }) => inLab.condition?.server?.toString() ?? []));
    if (together.length === 0) return;
    const caught = await catchOnOneLab(together);
    together.forEach((fault, i) => {
      caughtTogether.set(fault, caught[i]!);
    });
  });
  after(() => console.log(`\n${markdownTable([["fault", "caught by", "message"], ...rows])}\n`));

  for (const fault of faults) {
    const { what, message } = fault;
    const { caughtBy } = fault.inLab;
    const title = caughtBy === "nothing" ? `${what} is not reported` : `${what} is reported`;
    test(title, { timeout: 480_000 }, async (t) => {
      const caught = await again(
        t,
        async (before) => (before === 0 && caughtTogether.get(fault)) || (await catchOnOneLab([fault]))[0]!,
        (made) => (isExpected(made, fault) ? [] : whyOnceMore(made)),
      );
      assert.equal(caught.by, caughtBy, caught.message);
      assert.match(caught.message, message);
      rows.push([what, caught.by, excerpt(caught.message, message)]);
    });
  }
}

const isExpected = ({ by, message }: Caught, fault: LabFault) =>
  by === fault.inLab.caughtBy && fault.message.test(message);

/** Returns why to retry: the machine was busy, or random losses hid the fault from this single load. */
const whyOnceMore = ({ message, inconclusive }: Caught): string[] =>
  isBusy(message) ? [message] : inconclusive.map((axis) => `the one load was inconclusive about its ${axis}`);

/** Finds the part of a broken lab's messages that names the fault. */
const excerpt = (text: string, message: RegExp) =>
  text
    .replace(/^evidence: /, "")
    .split("; ")
    .find((part) => message.test(part)) ?? text;
