import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { callsFile } from "../../substrate/guest/guest.ts";
import { firstDifferentCall } from "./first-call.ts";

const folder = mkdtempSync(`${tmpdir()}/lab-calls-`);
after(() => rmSync(folder, { recursive: true }));
const calls = ["9394944 75 node 3 0", "9395000 80 Chrome_IO Thread 257 -2", "9396000 80 Chrome_IO Thread 0 12"];

async function makeWith(log: string[]): Promise<string | null> {
  writeFileSync(`${folder}/${callsFile(4)}`, log.map((line) => `${line}\n`).join(""));
  return firstDifferentCall(folder, 4);
}

test("a chunk's first log of system calls is kept; for a later log, the first call that differs is reported", async () => {
  assert.equal(await makeWith(calls), null);
  assert.equal(await makeWith(calls), "All 3 system calls are the same.");
  const [first = "", ...rest] = calls;
  const other = [first, rest[0]!.replace("-2", "17"), "9395000 81 sh 0 1"];
  for (const call of [/number 2:/, /9\.395 ms .*Chrome_IO Thread \(process 80\): call 257 returned -2\n.*returned 17$/])
    assert.match((await makeWith(other))!, call);
  assert.match((await makeWith([first]))!, /now: +nothing$/);
  assert.match((await makeWith([...calls, first]))!, /number 4:[\s\S]*first: +nothing/);
});
