/** Every way to break the lab that we know is caught, and named. Prints the table of traps. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";
import { markdownTable } from "markdown-table";
import { run } from "../../hosts/command.ts";
import { makePrograms } from "../../servers/made.ts";
import { netns } from "../../substrate/netns.ts";
import { again, isBusy } from "../again.ts";
import type { Caught } from "../spring-trap.ts";
import { traps } from "../traps/registry.ts";
import type { Trap } from "../traps/trap.ts";

const rows: string[][] = [];
before(async () => {
  await makePrograms(["caddy"]);
  await netns.open();
});
after(() => console.log(`\n${markdownTable([["trap", "caught by", "message"], ...rows])}\n`));

for (const [name, trap] of Object.entries(traps))
  test(`${trap.caughtBy === "nothing" ? "is not" : "is"} caught: ${trap.what}`, { timeout: 480_000 }, async (t) => {
    const { what, caughtBy, message } = trap;
    const hog = name === "cpuHog" ? spawn(process.execPath, ["-e", "for (;;);"]) : null;
    try {
      const spring = async () => JSON.parse(await run(netns.commandInside("test/spring-trap.ts", name))) as Caught;
      const caught = await again(t, spring, (made) => (isExpected(made, trap) ? [] : whyOnceMore(made)));
      assert.equal(caught.by, caughtBy, caught.message);
      assert.match(caught.message, message);
      rows.push([what, caught.by, excerpt(caught.message, message)]);
    } finally {
      hog?.kill("SIGKILL");
    }
  });

const isExpected = ({ by, message }: Caught, trap: Trap) => by === trap.caughtBy && trap.message.test(message);

/** The processor was wanting, or the link's chance hid from this one load what the trap broke. */
const whyOnceMore = ({ message, undecided }: Caught): string[] =>
  isBusy(message) ? [message] : undecided.map((axis) => `one load could not tell its ${axis}`);

/** What names the trap, of all that a broken lab makes the checks say. */
const excerpt = (text: string, message: RegExp) =>
  text
    .replace(/^evidence: /, "")
    .split("; ")
    .find((part) => message.test(part)) ?? text;
