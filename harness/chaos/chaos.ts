/** Kills parts of a lab at random moments, again and again, and looks at what that did. */
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { run } from "../command.ts";
import { readLoads } from "../journal.ts";
import { openRun, readSavedRun } from "../run-folder.ts";
import { verify } from "../verify/verify.ts";
import { MarkedRuns, type LabRun } from "./lab-run.ts";

/** What is killed, by its command line. */
const parts: Record<string, RegExp> = {
  runner: /harness\/main\.ts run/,
  lane: /netns-lane\.ts|harness\/lane\.ts/,
  browser: /headless-shell.*--host-resolver-rules/,
  renderer: /--type=renderer/,
  server: /nginx: (master|worker)|nginx -e/,
  agent: /servers\/agent\.ts|shaper\/agent\.ts/,
  "user-mode kernel": /^linux\.uml /,
};
/** The most a run is left alone before the next kill, and the least, milliseconds. */
const [longestMs, shortestMs] = [4000, 100];
/** How often a kill waits for a load first: a lane takes seconds to come up, in which the others hit. */
const duringLoads = 0.7;
const patienceMs = 90_000;

export interface ChaosResult {
  kills: Record<string, number>;
  /** How often the run had to be started again by hand. */
  resumed: number;
  recordedLoads: number;
  failedTries: number;
  plannedLoads: number;
  seconds: number;
  /** What went wrong; empty when nothing did. */
  problems: string[];
}

/** @param args of the run @param seed of who is killed and when */
export async function chaos(args: string[], kills: number, seed: number, report: (text: string) => void): Promise<ChaosResult> {
  const random = xoroshiro128plus(seed);
  const upTo = (most: number) => uniformInt(random, 0, most - 1);
  const runs = new MarkedRuns();
  const before = await surroundings();
  const start = performance.now();
  const counts: Record<string, number> = {};
  const moments: number[] = [];
  const problems: string[] = [];
  let current = runs.start(...args);
  const folder = await until(() => current.folder(), current);
  let resumed = 0;
  let text = "";
  for (let killed = 0; killed < kills;) {
    if (!current.alive) {
      resumed++;
      current = runs.start("--resume", folder);
    }
    const had = readLoads(folder).length;
    if (upTo(100) < duringLoads * 100) await until(() => readLoads(folder).length > had || undefined, current).catch(() => {});
    await sleep(shortestMs + upTo(longestMs));
    const names = Object.keys(parts);
    const part = names[upTo(names.length)]!;
    const victims = runs.left().filter(({ command }) => parts[part]!.test(command));
    const victim = victims[upTo(Math.max(1, victims.length))];
    if (!victim) continue; // not up at this moment
    moments.push(Date.now());
    try {
      process.kill(victim.pid, "SIGKILL");
    } catch {
      continue; // ended by itself
    }
    killed++;
    counts[part] = (counts[part] ?? 0) + 1;
    if (killed % 10 === 0) report(`${killed} kills, ${readLoads(folder).length} lines recorded, resumed ${resumed} times`);
    const now = readFileSync(`${folder}/loads.jsonl`, "utf8");
    if (!now.startsWith(text)) problems.push(`after ${killed} kills: lines that were recorded have changed`);
    text = now;
  }
  for (let tries = 0; ; tries++) {
    const code = current.alive ? await current.ended : NaN;
    if (code === 0 || tries === 5) break;
    resumed++;
    current = runs.start("--resume", folder);
  }
  problems.push(...(await aftermath(folder, moments, runs, before, text)));
  const loads = readLoads(folder);
  return {
    kills: counts, resumed, problems,
    recordedLoads: loads.filter(({ ok }) => ok).length,
    failedTries: loads.filter(({ ok }) => !ok).length,
    plannedLoads: plannedLoads(folder),
    seconds: (performance.now() - start) / 1000,
  };
}

function plannedLoads(folder: string): number {
  const { manifest } = openRun(folder);
  const { verdicts, missing } = verify(readSavedRun(folder, manifest));
  return verdicts.length + missing;
}

/** What must hold when the run has come to its end. */
async function aftermath(folder: string, moments: number[], runs: MarkedRuns, before: string[], text: string): Promise<string[]> {
  const problems: string[] = [];
  if (!readFileSync(`${folder}/loads.jsonl`, "utf8").startsWith(text)) problems.push("lines that were recorded have changed");
  const { verdicts, missing } = verify(readSavedRun(folder, openRun(folder).manifest));
  if (missing) problems.push(`${missing} loads are missing`);
  for (const { load, doubts } of verdicts) {
    if (doubts.length) problems.push(`block ${load.block} ${load.condition}: ${doubts.join("; ")}`);
    const from = Date.parse(load.startedAt);
    const hit = moments.find((moment) => moment > from && moment < from + load.wallMs - 5); // its line is printed after its last look
    if (hit) problems.push(`block ${load.block} ${load.condition} counts, and something was killed ${hit - from} ms into it`);
  }
  for (const end = Date.now() + 5000; runs.left().length && Date.now() < end;) await sleep(50);
  problems.push(...runs.left().map(({ pid, command }) => `left behind: process ${pid} ${command.slice(0, 80)}`));
  const after = await surroundings();
  problems.push(...after.filter((line) => !before.includes(line)).map((line) => `left behind: ${line}`));
  return problems;
}

/** What a lab could leave outside of its folder: devices, named namespaces, mounts, temporary files. */
async function surroundings(): Promise<string[]> {
  const links = JSON.parse(await run(["ip", "-json", "link"])) as { ifname: string }[];
  const namespaces = (await run(["ip", "netns", "list"])).split("\n");
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n").map((line) => line.split(" ")[4] ?? "");
  const files = await readdir(tmpdir());
  return [
    ...links.map(({ ifname }) => `device ${ifname}`), ...namespaces.filter(Boolean).map((name) => `namespace ${name}`),
    ...mounts.filter(Boolean).map((path) => `mount ${path}`), ...files.filter((name) => !/^(tsx-|node-compile-cache)/.test(name)).map((name) => `file ${tmpdir()}/${name}`),
  ];
}

/** What `probe` gives, as soon as it gives something. */
async function until<T>(probe: () => T | undefined, current: LabRun): Promise<T> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(50)) {
    const found = probe();
    if (found !== undefined) return found;
    if (!current.alive) throw new Error(`the run has ended: ${current.stderr()}`);
  }
  throw new Error(`nothing happened within ${patienceMs / 1000} s: ${current.stderr()}`);
}
