/** Changes a link's rates at the times in its trace. */
import { environment } from "../hosts/environment.ts";
import { type Direction, directions, fullFrameBytes, type Link, packetMs } from "../schema/link.ts";
import { periodMs, type RateStep } from "../schema/rate-trace.ts";
import { tolerance } from "../schema/tolerances.ts";
import { type LinkDevices, rateCommand } from "./link-commands.ts";
import { changedLateMs, playedRates } from "./played-rates.ts";

/** A timer of Node.js may be early or late by a millisecond, so each is set early by this, and the rest of the time is waited for exactly. */
const timerOffMs = 1;
const neverWoken = new Int32Array(new SharedArrayBuffer(4));

/** What the player uses to change a link. */
export interface Instruments {
  devices: LinkDevices;
  /** Runs tc commands. */
  tc(commands: string[][]): Promise<unknown>;
  /** Wakes a direction's bucket (wake.ts). Without it, packets that entered an empty queue while the link was slow may wait too long. */
  wake?(direction: Direction): void | Promise<void>;
  /** Called when tc refuses a change or a bucket cannot be woken. */
  failed(error: Error): void;
}

export interface Playing {
  /** When the link began to follow its trace, from the offset in it on; milliseconds since the epoch. */
  startedMs: number;
  /** How many of the packets that wake a direction's bucket are still in the delay line before it. They are not part of the link's traffic. */
  waking(direction: Direction): number;
  stop(): void;
}

/**
 * The steps of one direction, from an offset on: each with the time at which it begins, milliseconds after the start.
 * The first step begins before the start, unless the offset is at the beginning of a step.
 */
export function* changesFrom(played: readonly RateStep[], offsetMs: number): Generator<{ atMs: number; mbps: number }> {
  let atMs = -(offsetMs % periodMs(played));
  for (;;)
    for (const [ms, mbps] of played) {
      if (atMs + ms > 0) yield { atMs, mbps };
      atMs += ms;
    }
}

/** Both directions' changes of the rate, and when the next one is due. */
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

  /** When the next change is due, milliseconds after the start. */
  get nextMs(): number {
    return Math.min(...[...this.#parts.values()].map(({ next }) => next.atMs));
  }

  /** Removes and returns all changes that are due by a time. `wasSlow`: at the rate before the change, a packet may wait for longer than tolerated. */
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

/** The time since the epoch: in fractions of a millisecond, or in whole ones if the machine's clock was corrected since this process began. */
function epochMs(): number {
  const [whole, exact] = [Date.now(), performance.timeOrigin + performance.now()];
  return Math.abs(exact - whole) < 2 ? exact : whole;
}

/**
 * Starts to play a link's trace. The link must be set up.
 * @returns once the first rates are set
 */
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
