/** A chunk on the virtual clock gives the same bytes with other processors, cores and memory, which QEMU emulates (processor.sh). */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { LabCopy, lab, only, runFolder } from "../lab.ts";

const inPath = (program: string) => process.env.PATH!.split(":").some((folder) => existsSync(`${folder}/${program}`));
const skip = !inPath("qemu-system-x86_64") && "qemu-system-x86_64 is missing: apt-get install qemu-system-x86";

const words = ["run", "--clock", "virtual", "--lanes", "1", "--loads", "1"];
const conditions = only("page=A", "servers=1", "link=20x2-100ms-1%", "initcwnd=10");
const files = ["calibration.jsonl", "lanes.jsonl", "loads.jsonl"];

let copy: LabCopy;
let emulator: string;
let here: string[];
before(async () => {
  if (skip) return;
  emulator = mkdtempSync(`${tmpdir()}/lab-emulator-`);
  execFileSync("test/all/processor.sh", ["fetch", emulator]);
  copy = await LabCopy.make({ virtualClock: true });
  here = await linesOf(process.env);
});
after(() => {
  copy?.remove();
  if (emulator) rmSync(emulator, { recursive: true });
});

async function linesOf(env: NodeJS.ProcessEnv): Promise<string[]> {
  const { code, stderr } = await lab([...words, ...conditions], { folder: copy.folder, env });
  assert.equal(code, 0, stderr);
  return files.flatMap((file) => readFileSync(`${copy.folder}/${runFolder(stderr)}/${file}`, "utf8").split("\n"));
}

/** Both processors have XSAVE (in Intel's processors since 2011), without which the guest's kernel does not start. */
const machines = [
  ["an Intel processor of 2011 without AVX, and little memory", "-cpu SandyBridge,-avx -smp 1 -m 2560"],
  ["an AMD processor with all features of QEMU, on two cores", "-cpu max,vendor=AuthenticAMD -smp 2 -m 6144"],
] as const;

for (const [name, machine] of machines)
  test(`a run has the same bytes on this machine and on ${name}`, { skip }, async () => {
    const lines = await linesOf({ ...process.env, PATH: `${emulator}:${process.env.PATH}`, MACHINE: machine });
    for (const [i, line] of here.entries()) assert.equal(lines[i], line);
    assert.equal(lines.length, here.length);
  });
