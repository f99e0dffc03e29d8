/** Decides whether a lane that sends no message hangs, or only waits for a busy processor. */
import { readdirSync, readFileSync } from "node:fs";

/** A lane that used less than this share of a core counts as waiting. */
const workingShare = 0.01;
const tickSeconds = 0.01; // USER_HZ is 100 on every architecture that the lab supports

/**
 * Counts how long a lane has sent no message. While the lane computes, only its processor time counts, because on a busy machine a page of
 * thousands of objects may take many minutes. While the lane waits, all time counts.
 */
export class Silence {
  #seconds = 0;
  #used = 0;

  heard(): void {
    this.#seconds = 0;
  }

  /** @param passed seconds since the last call @param used the lane's processor time so far, in seconds @returns seconds of silence */
  look(passed: number, used: number): number {
    const had = Math.max(0, used - this.#used); // `used` decreases when a process has ended
    this.#used = used;
    this.#seconds += had > passed * workingShare ? Math.min(had, passed) : passed;
    return this.#seconds;
  }
}

/** A program that computes for this long without waiting, reading the clock or using new memory is treated as an endless loop. */
export const mostComputingSeconds = 30;

/**
 * Counts how long a guest has computed without a pause. The guest's clock does not advance meanwhile, so time limits inside the guest are never
 * reached. On the real clock the count stays small, because some program of the lane always wakes up and waits again.
 */
export class Computing {
  #seconds = 0;
  #used = 0;
  #waits = -1;

  /** @param used as in `Silence` @param waits how often the lane's processes have waited @returns seconds of processor time without a wait */
  look(used: number, waits: number): number {
    const had = Math.max(0, used - this.#used);
    this.#seconds = waits === this.#waits ? this.#seconds + had : 0;
    this.#used = used;
    this.#waits = waits;
    return this.#seconds;
  }
}

/** Reads how many seconds of processor time a process group and its ended children have used, and how often its processes have waited. */
export function useOf(group: number): { seconds: number; waits: number } {
  const own = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isIn(name, group));
  const sum = (of: (pid: string) => number) => own.reduce((total, pid) => total + of(pid), 0);
  return { seconds: sum((pid) => usedBy(pid, group)), waits: sum(waitsOf) };
}

/** Reads the fields of a process's stat file, starting with the process's state. @returns null if the process has already ended */
function statOf(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

const isIn = (pid: string, group: number) => Number(statOf(pid)?.[2]) === group;

function usedBy(pid: string, group: number): number {
  const fields = statOf(pid);
  if (!fields || Number(fields[2]) !== group) return 0;
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tickSeconds, 0);
}

function waitsOf(pid: string): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const texts = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8"));
    return texts.reduce((sum, text) => sum + Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(text)?.[1] ?? 0), 0);
  } catch {
    return 0; // the process has ended; this changes the sum over all processes, and the change counts as a wait
  }
}
