/** Tests that faults of the lab are caught, each by the message that names it; prints them as a table. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";
import { markdownTable } from "markdown-table";
import { makePrograms } from "../../servers/made.ts";
import type { Caught } from "../inside/run-fault.ts";
import { onHarnessHost } from "../lab.ts";
import { again, isBusy } from "../retry.ts";
import type { Fault } from "./fault.ts";
import { faults } from "./registry.ts";

/** On hosts of their own: what was caught of each of these faults, one after the other. */
async function catchOnOneLab(names: string[]): Promise<Caught[]> {
  const hog = names.includes("cpuHog") ? spawn(process.execPath, ["-e", "for (;;);"]) : null;
  try {
    const lines = await onHarnessHost("test/inside/run-fault.ts", ...names);
    return lines.map((line) => JSON.parse(line) as Caught);
  } finally {
    hog?.kill("SIGKILL");
  }
}

export function testFaults(names: string[]): void {
  const rows: string[][] = [];
  const together = names.filter((name) => !faults[name]!.lasts);
  const caughtTogether = new Map<string, Caught>();
  before(async () => {
    await makePrograms(["caddy"]);
    if (together.length === 0) return;
    const caught = await catchOnOneLab(together);
    together.forEach((name, i) => {
      caughtTogether.set(name, caught[i]!);
    });
  });
  after(() => console.log(`\n${markdownTable([["fault", "caught by", "message"], ...rows])}\n`));

  for (const name of names) {
    const fault = faults[name]!;
    const { what, caughtBy, message } = fault;
    test(`is ${caughtBy === "nothing" ? "not " : ""}caught: ${what}`, { timeout: 480_000 }, async (t) => {
      const caught = await again(
        t,
        async (before) => (before === 0 && caughtTogether.get(name)) || (await catchOnOneLab([name]))[0]!,
        (made) => (isExpected(made, fault) ? [] : whyOnceMore(made)),
      );
      assert.equal(caught.by, caughtBy, caught.message);
      assert.match(caught.message, message);
      rows.push([what, caught.by, excerpt(caught.message, message)]);
    });
  }
}

const isExpected = ({ by, message }: Caught, fault: Fault) => by === fault.caughtBy && fault.message.test(message);

/** The machine was busy, or the link's chance hid from this one load what the fault broke. */
const whyOnceMore = ({ message, undecided }: Caught): string[] =>
  isBusy(message) ? [message] : undecided.map((axis) => `one load could not tell its ${axis}`);

/** What names the fault, of all that is said of a broken lab. */
const excerpt = (text: string, message: RegExp) =>
  text
    .replace(/^evidence: /, "")
    .split("; ")
    .find((part) => message.test(part)) ?? text;
