/**
 * What happens in a load, and what it waits for: an event comes when the last of its causes has come, and what lies between,
 * and after its `rest`. So a load is a graph from navigation start to the load event. Walked back along the causes
 * that came last it is the critical path (critical-path.ts).
 */
import type { Part, WindowPart } from "./parts.ts";

export interface Span {
  part: Part;
  us: number;
}

export interface Cause {
  from: LoadEvent;
  takes: Span[];
  /** The server waited for this acknowledgment alone: with a larger window it would not have. */
  window?: WindowPart;
  /** When this cause is the last, what the time since another event counts as: who waits for a busy connection waits since it asked. */
  counts?: { part: Part; since: LoadEvent };
}

export interface LoadEvent {
  /** Microseconds since navigation start. */
  atUs: number;
  what: string;
  causes: Cause[];
  /** What the time after the last cause is. */
  rest: Part;
  /** The connection that a packet's event is of; null for the browser's. */
  flow: number | null;
  /** It is of a handshake. */
  opening: boolean;
}

/** Its fields are written one by one, because there are three events a packet: copying an object's takes most of an account's time. */
export const event = (
  atUs: number,
  what: string,
  rest: Part,
  { causes = [], flow = null, opening = false }: Partial<LoadEvent> = {},
): LoadEvent => ({ atUs, what, causes, rest, flow, opening });

const takenUs = ({ takes }: Cause) => takes.reduce((sum, { us }) => sum + us, 0);

/** When a cause alone would have let its event come. */
export const readyUs = (cause: Cause) => cause.from.atUs + takenUs(cause);

/** The cause that came last; undefined for an event without causes. */
export const lastCause = ({ causes }: LoadEvent): Cause | undefined =>
  causes.reduce<Cause | undefined>(
    (last, cause) => (last && readyUs(last) >= readyUs(cause) ? last : cause),
    undefined,
  );
