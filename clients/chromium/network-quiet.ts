import { setTimeout as sleep } from "node:timers/promises";
import type { ClientEvidence } from "../../schema/evidence.ts";
import { quietMs } from "../../schema/procedure.ts";

export interface Activity {
  /** When a request last began or ended, or bytes last arrived, by `performance.now()`. */
  lastMs(): number;
  isActive(): boolean;
}

interface Clock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

/** Waits until the network has been quiet for `quietMs` after this call. Waits at most `limitMs`, because a page that polls is never quiet. */
export async function networkQuiet(
  activity: Activity,
  limitMs: number,
  clock: Clock = { now: () => performance.now(), sleep },
): Promise<NonNullable<ClientEvidence["recordedUntil"]>> {
  const startMs = clock.now();
  for (let nowMs = startMs; nowMs < startMs + limitMs; nowMs = clock.now()) {
    const quietForMs = activity.isActive() ? 0 : nowMs - Math.max(startMs, activity.lastMs());
    if (quietForMs >= quietMs) return "quiet";
    await clock.sleep(Math.min(quietMs - quietForMs, startMs + limitMs - nowMs));
  }
  return "limit";
}
