/**
 * A load as a graph of events, from the start of the navigation to the load event. An event happens after all of its causes have
 * happened and taken effect (`takes`); any further delay counts as `rest`.
 */
import type { Part, WindowPart } from "./parts.ts";

export interface Span {
  part: Part;
  us: number;
}

export interface Cause {
  from: LoadEvent;
  takes: Span[];
  /** Set if the sender waited only for an acknowledgment: a larger window would have avoided this wait. */
  window?: WindowPart;
  /** If this cause comes last, the time after `since` counts as `part`, such as the wait for a busy connection after a request's discovery. */
  counts?: { part: Part; since: LoadEvent };
}

export interface LoadEvent {
  /** Microseconds since navigation start. */
  atUs: number;
  what: string;
  causes: Cause[];
  /** The part that the event's own time counts as: the time after its last cause took effect. */
  rest: Part;
  /** The number of the packet's connection; null for events in the browser. */
  flow: number | null;
  /** Whether the event belongs to a handshake. */
  opening: boolean;
}

/** Lists the fields one by one, because spreading an object is slow, and there are three events for each packet. */
export const event = (
  atUs: number,
  what: string,
  rest: Part,
  { causes = [], flow = null, opening = false }: Partial<LoadEvent> = {},
): LoadEvent => ({ atUs, what, causes, rest, flow, opening });

const takenUs = ({ takes }: Cause) => takes.reduce((sum, { us }) => sum + us, 0);

/** When the event would have happened if this were its only cause. */
export const readyUs = (cause: Cause) => cause.from.atUs + takenUs(cause);

export const lastCause = ({ causes }: LoadEvent): Cause | undefined =>
  causes.reduce<Cause | undefined>(
    (last, cause) => (last && readyUs(last) >= readyUs(cause) ? last : cause),
    undefined,
  );
