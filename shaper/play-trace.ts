/** Changes a link's rates at the times in its trace. */
import { environment } from "../hosts/environment.ts";
import { type Direction, directions, fullFrameBytes, type Link, packetMs } from "../schema/link.ts";
import { periodMs, type RateStep } from "../schema/rate-trace.ts";
import { tolerance } from "../schema/tolerances.ts";
import { type LinkDevices, rateCommand } from "./link-commands.ts";
import { changedLateMs, playedRates } from "./played-rates.ts";

/** A timer of Node.js may be wrong by a millisecond, so it is set this much earlier. A precise wait takes the rest of the time. */
const timerOffMs = 1;
const neverWoken = new Int32Array(new SharedArrayBuffer(4));

export interface Instruments {
  devices: LinkDevices;
  tc(commands: string[][]): Promise<unknown>;
  /** Wakes a direction's bucket (wake.ts). Without it, packets that entered an empty queue while the link was slow may wait too long. */
  wake?(direction: Direction): void | Promise<void>;
  /** Called when tc refuses a change or a bucket cannot be woken. */
  failed(error: Error): void;
}

export interface Playing {
  /** When the link was at `traceOffsetMs` in its trace, milliseconds since the epoch. */
  startedMs: number;
  /** Counts the packets that will wake a direction's bucket, but are still in the delay line. They are not part of the link's traffic. */
  waking(direction: Direction): number;
  stop(): void;
}

/** Yields a direction's steps from an offset in the trace on, without end. `atMs`: a step's start after the offset; at most 0 for the first step. */
export function* changesFrom(played: readonly RateStep[], offsetMs: number): Generator<{ atMs: number; mbps: number }> {
  let atMs = -(offsetMs % periodMs(played));
  for (;;)
    for (const [ms, mbps] of played) {
      if (atMs + ms > 0) yield { atMs, mbps };
      atMs += ms;
    }
}

/** The changes of both directions' rates. Times are milliseconds after the start. */
class Score {
  readonly #parts = new Map<
    Direction,
    { next: { atMs: number; mbps: number }; rest: ReturnType<typeof changesFrom>; isSlow: boolean }
  >();

  constructor({ trace, traceOffsetMs = 0 }: Link) {
    const lateMs = environment.virtualClock ? changedLateMs.virtual : changedLateMs.real;
    for (const direction of trace ? directions : []) {
      const rest = changesFrom(playedRates(trace![direction], lateMs), traceOffsetMs);
      this.#parts.set(direction, { next: rest.next().value, rest, isSlow: false });
    }
  }

  get nextMs(): number {
    return Math.min(...[...this.#parts.values()].map(({ next }) => next.atMs));
  }

  /** Removes and returns all changes due by a time. `wasSlow` is true if a packet may wait too long at the rate before the change. */
  due(atMs: number): { direction: Direction; mbps: number; wasSlow: boolean }[] {
    return [...this.#parts].flatMap(([direction, part]) => {
      let mbps: number | undefined;
      for (; part.next.atMs <= atMs; part.next = part.rest.next().value) mbps = part.next.mbps;
      if (mbps === undefined) return [];
      const wasSlow = part.isSlow;
      part.isSlow = packetMs(fullFrameBytes, mbps) > tolerance.lateMs;
      return [{ direction, mbps, wasSlow }];
    });
  }
}

/** Returns the time since the epoch. It has fractions of a millisecond, unless the machine's clock was corrected since this process began. */
function epochMs(): number {
  const [whole, exact] = [Date.now(), performance.timeOrigin + performance.now()];
  return Math.abs(exact - whole) < 2 ? exact : whole;
}

/** Starts to play the trace of a link that is set up. @returns once the first rates are set */
export async function play(link: Link, { devices, tc, wake, failed }: Instruments): Promise<Playing> {
  const score = new Score(link);
  const set = async (atMs: number) => {
    const changes = score.due(atMs);
    await tc(changes.map(({ direction, mbps }) => rateCommand(link, direction, mbps, devices)));
    for (const { direction, wasSlow } of changes) if (wasSlow && wake) await wakeNow(direction, wake);
  };
  const arrivals: Record<Direction, number[]> = { down: [], up: [] };
  const wakeNow = async (direction: Direction, wake: NonNullable<Instruments["wake"]>) => {
    await wake(direction);
    arrivals[direction].push(sinceStart() + link.rttMs / 2);
  };
  const [startedMs, start] = [epochMs(), performance.now()];
  const sinceStart = () => performance.now() - start;
  let timer: NodeJS.Timeout;
  let stopped = false;
  const wait = () => {
    timer = setTimeout(change, Math.max(0, score.nextMs - sinceStart() - timerOffMs));
  };
  const change = () => {
    const dueMs = score.nextMs;
    const leftMs = dueMs - sinceStart();
    if (leftMs > 0) Atomics.wait(neverWoken, 0, 0, leftMs);
    set(dueMs).catch((error: Error) => stopped || failed(error));
    wait();
  };
  await set(0);
  wait();
  return {
    startedMs,
    waking(direction) {
      arrivals[direction] = arrivals[direction].filter((atMs) => atMs > sinceStart());
      return arrivals[direction].length;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
