/** Whether a lane that sends no message hangs, or only waits for a busy processor. */
import { readdirSync, readFileSync } from "node:fs";

/** A lane that used a smaller share of the processor than this was not working. */
const workingShare = 0.01;
const tickSeconds = 0.01; // USER_HZ is 100 on every architecture the lab runs on

/**
 * How long a lane has sent no message. While the lane works, only its processor time counts: on a busy machine a page of thousands of
 * objects takes many minutes, and nothing is wrong. While it does not work, all time counts.
 */
export class Silence {
  #seconds = 0;
  #used = 0;

  heard(): void {
    this.#seconds = 0;
  }

  /**
   * @param passed seconds since the last call @param used seconds of processor time of the lane so far
   * @returns seconds of silence
   */
  look(passed: number, used: number): number {
    const had = Math.max(0, used - this.#used); // less than before when a process has ended
    this.#used = used;
    this.#seconds += had > passed * workingShare ? Math.min(had, passed) : passed;
    return this.#seconds;
  }
}

/** Processor time of a process group, with that of its children that have ended, seconds. proc_pid_stat(5) */
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
    return 0; // the process has ended meanwhile
  }
}
