/**
 * A repeated gate gives the same bytes on an idle and on a busy machine, however its pages compute: in one thread, in workers, in
 * WebAssembly, by polling the clock, by decoding or by layout. GATES=20 sets the number of gates, MILLION=300 the steps in millions.
 */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { after, before, test } from "node:test";
import { loadsIn } from "../../harness/record/records.ts";
import { ExitCode } from "../../schema/errors.ts";
import { burner } from "../burner.ts";
import { computingPages, computingSite, functionsOf, waitMs } from "../computing-site.ts";
import { LabCopy, runFolder } from "../lab.ts";

const gates = Number(process.env.GATES ?? 4);
const million = Number(process.env.MILLION ?? 300);
/** The most by which random reaction times can change the shorter of two page load times on the virtual clock, in milliseconds. */
const drawnMs = 10;
/** V8 reads the clock at most three times to compile a function, and the clock advances by 10 µs after 40 reads (docs/virtual-time.md). */
const compilingMs = (functionsOf(million) * 3 * 0.01) / 40;
let copy: LabCopy;
const burners: ChildProcess[] = [];
before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
  for (const [path, content] of Object.entries(computingSite(million))) copy.put(`site/${path}`, content);
});
after(() => {
  for (const one of burners) one.kill("SIGKILL");
  copy?.remove();
});

/** Runs a gate. @returns the digest of the gate's run */
const digest = async () => /digest ([0-9a-f]+)/.exec((await gate()).stdout)![1]!;

async function gate() {
  const words = ["--pages", computingPages.join(), "--links", "Cable", "--loads", "2", "--lanes", "1"];
  const { code, stdout, stderr } = await copy.lab("gate", "site", ...words, "--budget", "requests=9");
  assert.equal(code, ExitCode.done, stderr);
  return { stdout, loads: loadsIn(`${copy.folder}/${runFolder(stderr)}`) };
}

let first: string;
test("on an idle machine, computing adds no time to a page load, and polling the clock for 40 ms adds 40 ms", async () => {
  const { stdout, loads } = await gate();
  const shortest = (page: string) =>
    Math.min(...loads.flatMap((load) => (load.ok && load.document === page ? [load.pageLoadMs] : [])));
  const without = shortest("index.html");
  for (const [page, wait, allowedMs] of [
    ...["loops", "wasm", "sorts"].map((name) => [name, 0, drawnMs] as const),
    ["waits", waitMs, drawnMs] as const,
    ["parses", 0, drawnMs + compilingMs] as const,
  ]) {
    const addedMs = shortest(`${page}.html`) - without - wait;
    assert.ok(Math.abs(addedMs) < allowedMs, `${page}: ${addedMs} ms`);
  }
  first = /digest ([0-9a-f]+)/.exec(stdout)![1]!;
  for (let i = 1; i < gates / 2; i++) assert.equal(await digest(), first, `gate ${i + 1}`);
});

test("a gate's run has the same bytes on a busy machine as on an idle machine", async () => {
  for (let i = 0; i < 3; i++) burners.push(burner("nice"));
  for (let i = 0; i < gates / 2; i++) assert.equal(await digest(), first, `gate ${i + 1} next to other work`);
});
