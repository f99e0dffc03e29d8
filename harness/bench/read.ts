import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { nodeCommand } from "../../substrate/substrate.ts";
import { makeRun } from "./long-run.ts";

const defaultLoads = 100_000;

/**
 * What reports take on a long run. Each command is a process of its own, so that its memory is its own.
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
