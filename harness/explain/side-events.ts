/** What one side of a connection sent. */
import type { PacketEvents } from "./link-events.ts";
import type { Arrived } from "./recovery.ts";

/** One side's packets, which have events but for what the link makes of them (link-events.ts). */
export interface SideEvents {
  packets: PacketEvents[];
  /** Those that carry something, by when they came. */
  data: Arrived<PacketEvents>;
  all: Arrived<PacketEvents>;
  /** What the link delays each. */
  delayUs: number;
  /** The least that its initial window can have been, packets. */
  leastWindow: number;
  /** When it first sent something again; never, where nothing was lost. */
  firstRepetitionUs: number;
}
