/** The events of one connection of a load: its packets, what each side could read, and the browser's requests over it. */
import type { ConnectionEvidence, RequestEvidence } from "../../schema/evidence.ts";
import type { ConnectionDeliveries } from "./connection-deliveries.ts";
import type { LoadEvent } from "./event.ts";
import type { FlowEvents } from "./flow-events.ts";

export interface RequestEvents {
  request: RequestEvidence;
  start: LoadEvent;
  sent: LoadEvent;
  end: LoadEvent;
}

export interface Connection extends ConnectionDeliveries {
  flow: FlowEvents;
  requests: RequestEvents[];
  evidence: ConnectionEvidence;
  /** The most requests that are active at once: 1 over HTTP/1.1; over HTTP/2 the server may limit them. */
  slots: number;
}
