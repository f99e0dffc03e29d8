/** Whether a lane that says nothing hangs, or has not had the processor. */
import { readdirSync, readFileSync } from "node:fs";

/** Whoever had less of the time that passed was not at work. */
const workingShare = 0.01;
const tickSeconds = 0.01; // USER_HZ is 100 on every architecture the lab runs on

/**
 * How long a lane has said nothing, by the time that was its own: what it had of the processor where it was at work, else all
 * that passed. On a busy machine a page of thousands of objects takes many minutes, and nothing is wrong.
 */
export class Silence {
  #seconds = 0;
  #used = 0;

  heard(): void {
    this.#seconds = 0;
  }

  /** @param passed seconds since the last look @param used seconds of the processor that the lane has had so far */
  look(passed: number, used: number): number {
    const had = Math.max(0, used - this.#used); // what has ended no longer counts
    this.#used = used;
    this.#seconds += had > passed * workingShare ? Math.min(had, passed) : passed;
    return this.#seconds;
  }
}

/** What the processes of a group have had of the processor, with their children that have ended, seconds. proc_pid_stat(5) */
export const usedSeconds = (group: number): number =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, pid) => sum + usedBy(pid, group), 0);

function usedBy(pid: string, group: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" "); // field 3, the state, is the first
    if (Number(fields[2]) !== group) return 0;
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tickSeconds, 0);
  } catch {
    return 0; // it has ended meanwhile
  }
}
