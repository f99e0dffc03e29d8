/** Follows each event's last cause, from the load event back to the start of the navigation. */
import { type LoadEvent, lastCause, type Span } from "./event.ts";
import { lossParts, type Part } from "./parts.ts";

/** A step of the critical path. Steps follow each other without a gap, so they add up to the page load time. */
export interface Step {
  part: Part;
  fromUs: number;
  toUs: number;
  /** The event at the end of the step. */
  what: string;
}

/** Returns the steps in the order of time. */
export function criticalPath(load: LoadEvent): Step[] {
  const steps: Step[] = [];
  /** The connection whose bytes the browser waits for. Time in which the link transmits other connections' bytes counts as queueing. */
  let needed = load.flow;
  let at: LoadEvent | undefined = load;
  const back = (part: Part, event: LoadEvent, fromUs: number, toUs: number) => {
    if (toUs <= fromUs) return toUs;
    const counted = event.opening && !lossParts.has(part) && part !== "server" ? "connections" : part;
    steps.push({ part: counted, fromUs, toUs, what: event.what });
    return fromUs;
  };
  let nowUs = load.atUs;
  while (at) {
    const event: LoadEvent = at;
    const cause = lastCause(event);
    if (!cause) {
      back(event.rest, event, 0, nowUs);
      break;
    }
    if (cause.counts && cause.from.atUs > cause.counts.since.atUs) {
      const { part, since } = cause.counts;
      nowUs = back(part, event, Math.min(nowUs, since.atUs), nowUs);
      at = since;
      continue;
    }
    const { from } = cause;
    if (from.flow !== null && event.flow === null) needed = from.flow;
    const takes = cause.takes.map((span) => named(span, event, from, needed));
    const takenUs = takes.reduce((sum, { us }) => sum + us, 0);
    nowUs = back(event.rest, event, Math.min(nowUs, Math.max(from.atUs, from.atUs + takenUs)), nowUs);
    for (const { part, us } of takes.toReversed()) nowUs = back(part, event, Math.max(from.atUs, nowUs - us), nowUs);
    nowUs = back(event.rest, event, Math.min(nowUs, from.atUs), nowUs);
    at = from;
  }
  return steps.reverse();
}

/** Returns the span with the part that it counts as: the propagation of a packet that a full window delayed is a wait for the window. */
function named(span: Span, event: LoadEvent, from: LoadEvent, needed: number | null): Span {
  if (span.part === "rate" && event.flow !== needed) return { ...span, part: "queueing" };
  const window = lastCause(from)?.window;
  if (span.part === "propagation" && window) return { ...span, part: window };
  return span;
}
