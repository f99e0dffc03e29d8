/**
 * What a load would have taken with one thing changed: its graph of events, walked forward from the start of the navigation,
 * each event when the last of its causes has come. What the graph does not know stays as it was: which acknowledgment let
 * out which packet, and the order in which packets share the link.
 */
import { type Cause, type LoadEvent, lastCause, readyUs, type Unit } from "./event.ts";
import { lossParts, type WindowPart } from "./parts.ts";

export interface Change {
  /** What spans that grow with the round trip, or with what a byte takes, are multiplied by. */
  scale?: Partial<Record<Unit, number>>;
  /** Nothing is lost: no packet waits for a repetition. */
  lossless?: true;
  /** These windows are slow start's, from so many segments and undisturbed. */
  slowStart?: { from: number; inPlaceOf: ReadonlySet<WindowPart> };
}

/** @param load the load event @returns when it would have come, milliseconds */
export function loadMsIf(load: LoadEvent, change: Change): number {
  const newUs = new Map<LoadEvent, number>();
  const stack: LoadEvent[] = [load];
  const entered = new Set<LoadEvent>();
  while (stack.length) {
    const at = stack.at(-1)!;
    const missing = newUs.has(at)
      ? []
      : causesIf(at, change).filter(({ from }) => !newUs.has(from) && !entered.has(from));
    if (!newUs.has(at) && missing.length && !entered.has(at)) {
      entered.add(at);
      stack.push(...missing.map(({ from }) => from));
      continue;
    }
    stack.pop();
    if (!newUs.has(at)) newUs.set(at, timeOf(at, change, newUs));
  }
  return newUs.get(load)! / 1000;
}

function timeOf(at: LoadEvent, change: Change, newUs: ReadonlyMap<LoadEvent, number>): number {
  const last = lastCause(at);
  const restUs = at.atUs - (last ? readyUs(last) : 0);
  const rest = change.lossless && lossParts.has(at.rest) ? 0 : restUs * restScale(at, change);
  const takesUs = ({ takes }: Cause) => takes.reduce((sum, { unit, us }) => sum + us * (change.scale?.[unit] ?? 1), 0);
  const ready = causesIf(at, change).map((cause) => (newUs.get(cause.from) ?? cause.from.atUs) + takesUs(cause));
  return Math.max(0, ...ready) + Math.max(0, rest);
}

function causesIf({ causes }: LoadEvent, { slowStart }: Change): Cause[] {
  if (!slowStart) return causes;
  return causes.flatMap((cause) => {
    const replaced = cause.window && slowStart.inPlaceOf.has(cause.window);
    return replaced ? (cause.slowStart?.(slowStart.from) ?? []) : [cause];
  });
}

/** Recovery by acknowledgments takes round trips; timers follow them only in part, and programs not at all. */
const restScale = ({ rest }: LoadEvent, { scale = {} }: Change) => (rest === "fast retransmit" ? (scale.rtt ?? 1) : 1);
