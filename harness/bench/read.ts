import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { nodeCommand } from "../../substrate/substrate.ts";
import { virtualReferenceRun } from "../record/run-folder.ts";

const defaultLoads = 100_000;

/**
 * What reports take on a long run. It is made of the reference run's lines, repeated under other blocks with their times
 * moved a little; each command is a process of its own, so that its memory is its own.
 */
export async function benchRead({ loads = defaultLoads }: { loads?: number }): Promise<void> {
  const parent = mkdtempSync(`${tmpdir()}/lab-bench-`);
  try {
    const folder = `${parent}/run`;
    const made = await makeRun(folder, loads);
    const gigabytes = statSync(`${folder}/loads.jsonl`).size / 1e9;
    console.log(
      `${made} loads, ${gigabytes.toFixed(2)} GB\n\n| command | seconds | most memory, MiB |\n| :-- | --: | --: |`,
    );
    report("tables, each line judged", "tables", folder);
    report("tables, from the index", "tables", folder);
    report("compare, with itself, from the index", "compare", folder, folder);
    report("verify, which reads every line", "verify", folder);
  } finally {
    rmSync(parent, { recursive: true });
  }
}

function report(what: string, ...args: string[]): void {
  const start = performance.now();
  const [program = "", ...words] = nodeCommand("harness/cli/main.ts", ...args);
  const command = [...words.slice(0, 2), "--import", "./harness/bench/peak-memory.ts", ...words.slice(2)]; // after tsx
  const { stderr, status } = spawnSync(program, command, { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  const seconds = (performance.now() - start) / 1000;
  const memoryMiB = Number(/peak (\d+)/.exec(stderr)?.[1]);
  // Lines that are repeated repeat their losses too: verify, which pools them, is right to say that no link does so.
  if ((status !== 0 && args[0] !== "verify") || Number.isNaN(memoryMiB))
    throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  console.log(`| ${what} | ${seconds.toFixed(1)} | ${memoryMiB} |`);
}

/** Whole blocks, as many as it takes. @returns how many loads that is */
export async function makeRun(folder: string, loads: number): Promise<number> {
  mkdirSync(folder);
  const manifest = JSON.parse(readFileSync(`${virtualReferenceRun}/run.json`, "utf8")) as { loads: number };
  const lines = readFileSync(`${virtualReferenceRun}/loads.jsonl`, "utf8").trim().split("\n");
  const block = lines
    .filter((line) => line.includes('"block":1,'))
    .map((line) => line.split('"block":1,') as [string, string]);
  const blocks = Math.ceil(loads / block.length);
  writeFileSync(`${folder}/run.json`, JSON.stringify({ ...manifest, loads: blocks }));
  for (const file of ["lanes.jsonl", "calibration.jsonl"])
    writeFileSync(`${folder}/${file}`, readFileSync(`${virtualReferenceRun}/${file}`));
  const stream = createWriteStream(`${folder}/loads.jsonl`);
  for (let number = 1; number <= blocks; number++) {
    const text = block.map(([before, after]) => `${before}"block":${number},${after}\n`).join("");
    if (!stream.write(text)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "finish");
  return blocks * block.length;
}
