/** Checks a run whose parts were killed. */
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { verdictOn } from "../../harness/judge/run/judged-loads.ts";
import { readRun } from "../../harness/record/records.ts";
import { run } from "../../hosts/command.ts";
import type { GoodLoad } from "../../schema/records.ts";
import type { MarkedLabs } from "./lab-process.ts";

const settleMs = 5000;
/** The longest time from a load's last check of its processes to the load's end. A kill in this time cannot make the load fail. */
const printingMs = 5;

/** When a process was killed, in milliseconds since the epoch, and its command line. */
export interface Kill {
  atMs: number;
  command: string;
  /** Whether this kill cannot make a valid load wrong: no load needs the process, or a load that needs it (a page's renderer) fails. */
  bystander: boolean;
}

/** Describes each problem. @param before what surroundings() returned before the run @param temporary the folder for the run's temporary files */
export async function aftermath(
  folder: string,
  kills: Kill[],
  labs: MarkedLabs,
  before: string[],
  temporary: string,
): Promise<string[]> {
  const run = readRun(folder);
  const { invalid, missing } = verdictOn(run);
  const good = [...run.loads()].flatMap((line) => ("load" in line && line.load.ok ? [line.load] : []));
  for (const end = Date.now() + settleMs; labs.left().length && Date.now() < end; ) await sleep(50);
  const after = await surroundings(temporary);
  return [
    ...(missing ? [`${missing} loads are missing`] : []),
    ...invalid.map(({ block, condition, reasons }) => `block ${block} ${condition}: ${reasons.join("; ")}`),
    ...good.flatMap((load) => disturbed(load, kills).map((text) => `block ${load.block} ${load.condition}: ${text}`)),
    ...labs.left().map(({ pid, command }) => `left behind: process ${pid} ${command.slice(0, 80)}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `left behind: ${line}`),
  ];
}

/** Describes each kill that happened during this valid load, and should have made the load fail. */
function disturbed({ startedAt, wallMs }: GoodLoad, kills: Kill[]): string[] {
  const from = Date.parse(startedAt);
  return kills
    .filter(({ atMs, bystander }) => !bystander && atMs > from && atMs < from + wallMs - printingMs)
    .map(
      ({ atMs, command }) =>
        `the load is valid although a process was killed ${atMs - from} ms after the load's start: ${command.slice(0, 120)}`,
    );
}

/** Lists everything that a lab could leave behind outside of its folder: devices, named namespaces, mounts, temporary files. */
export async function surroundings(temporary: string): Promise<string[]> {
  const links = JSON.parse(await run(["ip", "-json", "link"])) as { ifname: string }[];
  const namespaces = (await run(["ip", "netns", "list"])).split("\n");
  const mounts = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "");
  const files = await readdir(temporary);
  return [
    ...links.map(({ ifname }) => `device ${ifname}`),
    ...namespaces.filter(Boolean).map((name) => `namespace ${name}`),
    ...mounts.filter(Boolean).map((path) => `mount ${path}`),
    ...files.filter((name) => !/^(tsx-|node-compile-cache)/.test(name)).map((name) => `temporary file ${name}`), // except the caches of tsx
  ];
}
