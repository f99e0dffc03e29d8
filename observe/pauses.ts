/**
 * Measures pauses of the machine during a load: not even a program with real-time priority ran, because the hypervisor paused the machine
 * (which may not count as steal time) or the kernel was busy. The shaper has the same priority, so a pause delays its packets, too.
 * Loads with pauses stay valid: long loads have more pauses, so discarding loads with pauses would favour short loads.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { PauseEvidence } from "../schema/evidence.ts";

export class PauseWatch {
  /** The longest pause and the sum of all pauses, in microseconds. */
  readonly #counts: Int32Array;
  readonly #thread: Worker;

  private constructor(counts: Int32Array, thread: Worker) {
    this.#counts = counts;
    this.#thread = thread;
  }

  /** @returns null where real-time priority is not permitted */
  static async open(): Promise<PauseWatch | null> {
    const counts = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    const thread = new Worker(new URL("pause-thread.mjs", import.meta.url), { workerData: counts });
    thread.unref();
    const [permitted] = (await once(thread, "message")) as [boolean];
    return permitted ? new PauseWatch(counts, thread) : null;
  }

  restart(): void {
    this.#counts.fill(0);
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  /** The pauses since `restart`. */
  read(): PauseEvidence {
    const [longestUs = 0, totalUs = 0] = this.#counts;
    return { longestMs: longestUs / 1000, totalMs: totalUs / 1000 };
  }
}
