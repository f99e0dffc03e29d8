/** What one side of a connection sent. */
import type { PacketEvents } from "./link-events.ts";
import type { Arrived } from "./recovery.ts";

/** One side's packets with their events; link-events.ts adds the causes of arrivals. */
export interface SideEvents {
  packets: PacketEvents[];
  /** The packets with payload, by time of arrival. */
  data: Arrived<PacketEvents>;
  all: Arrived<PacketEvents>;
  /** The sender's initial window was at least this many packets. */
  leastWindow: number;
  /** The time of this side's first retransmission; Infinity if there was none. */
  firstRepetitionUs: number;
}
