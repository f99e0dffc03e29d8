/** How much CPU time the lab and other programs used while a page loaded, from /proc. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import os from "node:os";
import { environment } from "../hosts/environment.ts";
import type { ProcessorEvidence } from "../schema/evidence.ts";
import { tickMs } from "../schema/linux.ts";
import type { ProcessorReading } from "../schema/observation.ts";

/** Processes that a browser or user-mode kernel ends on its own. If a load needed one, other checks notice: the page crashed or the shaper ended. */
export const comesAndGoes = /--type=(renderer|utility|zygote)|firefox.* (-contentproc|--ping-cleanup) |^linux\.uml /;
const shownCharacters = 80;

const pageMiB = 4096 / 2 ** 20;

export function readProcessor(): ProcessorReading {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = readFileSync("/proc/stat", "utf8")
    .split("\n", 1)[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const programs = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProgram);
  return {
    namespace: readlinkSync("/proc/self/ns/pid"),
    atMs: performance.now(),
    busyMs: (user + nice + system + irq + softirq) * tickMs,
    stealMs: steal * tickMs,
    waitMs: readWaitMs(),
    labMs: programs.reduce((sum, { ticks }) => sum + ticks, 0) * tickMs,
    labMemoryMiB: Math.round(programs.reduce((sum, { pages }) => sum + pages, 0) * pageMiB),
    lasting: Object.fromEntries(
      programs.flatMap(({ pid, command }) =>
        !command || comesAndGoes.test(command) ? [] : [[pid, command.slice(0, shownCharacters)]],
      ),
    ),
  };
}

/** Reads the ticks of a program and of its ended children, its resident pages and its command line (proc_pid_stat(5)). */
function readProgram(pid: string): { pid: string; ticks: number; pages: number; command: string }[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number); // field 3, the state, is the first
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    return [
      { pid, command, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0), pages: fields[21] ?? 0 },
    ];
  } catch {
    return []; // ended meanwhile
  }
}

function readWaitMs(): number | null {
  try {
    return Number(/^some .*total=(\d+)/m.exec(readFileSync("/proc/pressure/cpu", "utf8"))?.[1]) / 1000;
  } catch {
    return null;
  }
}

/**
 * @param before,after readings of the hosts, in the same order; a namespace that several hosts share counts once
 * @param isGuest whether this is a guest, where only the lab runs, so all busy time is the lab's. A sum over the programs would be wrong
 *   there, because the guest's kernel charges a whole tick to a program that yields, and loses the time of ended programs
 */
export function processorEvidence(
  before: ProcessorReading[],
  after: ProcessorReading[],
  isGuest = environment.virtualClock,
): Omit<ProcessorEvidence, "pauses"> {
  const [from, to] = [before[0]!, after[0]!];
  const own = after
    .map((reading, i) => ({ reading, labMs: reading.labMs - before[i]!.labMs }))
    .filter(({ reading }, i) => after.findIndex(({ namespace }) => namespace === reading.namespace) === i);
  const busyMs = to.busyMs - from.busyMs;
  const labMs = isGuest ? busyMs : own.reduce((sum, host) => sum + host.labMs, 0);
  return {
    cores: os.cpus().length,
    elapsedMs: Math.round(to.atMs - from.atMs),
    labMs,
    otherMs: Math.max(0, busyMs - labMs),
    stealMs: to.stealMs - from.stealMs,
    waitMs: from.waitMs === null || to.waitMs === null ? null : Math.round(to.waitMs - from.waitMs),
    labMemoryMiB: isGuest ? null : own.reduce((sum, { reading }) => sum + reading.labMemoryMiB, 0),
  };
}

/** Finds long-running programs that ended between the two readings. */
export const endedSince = (before: ProcessorReading[], after: ProcessorReading[]): string[] =>
  before.flatMap(({ lasting }, i) =>
    Object.entries(lasting).flatMap(([pid, command]) => (pid in after[i]!.lasting ? [] : [command])),
  );
