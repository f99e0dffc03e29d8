/**
 * The thread of pauses.ts: at real-time priority it wakes up every two milliseconds, and adds up how late it wakes up.
 * It is JavaScript because Node.js 20 cannot load TypeScript in a thread.
 */
import { parentPort, workerData } from "node:worker_threads";
import koffi from "koffi";

/** The scheduling policy and priority (sched(7)), which are also those of the shaper. */
const SCHED_FIFO = 1;
const priority = 1;
const everyMs = 2;
/** Shorter delays do not count as pauses, because they are ordinary scheduling. */
const leastMs = 1;

/** @type {Int32Array} in microseconds: the longest pause, and the sum of all pauses */
const counts = workerData;
const [longest, total] = [0, 1];

const libc = koffi.load("libc.so.6");
const setScheduler = libc.func("int sched_setscheduler(int thread, int policy, int *priority)");
const permitted = setScheduler(0, SCHED_FIFO, [priority]) === 0;
parentPort.postMessage(permitted);

const neverNotified = new Int32Array(new SharedArrayBuffer(4));
for (let before = performance.now(); permitted; ) {
  Atomics.wait(neverNotified, 0, 0, everyMs);
  const now = performance.now();
  const lateMs = now - before - everyMs;
  before = now;
  if (lateMs < leastMs) continue;
  const lateUs = Math.round(lateMs * 1000);
  Atomics.add(counts, total, lateUs);
  if (lateUs > Atomics.load(counts, longest)) Atomics.store(counts, longest, lateUs);
}
