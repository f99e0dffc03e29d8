import type { Evidence } from "../schema/evidence.ts";
import { directions } from "../schema/link.ts";
import type { ConditionValues } from "../schema/plan.ts";

/**
 * Whether jitter reordered packets in this load, as configured. TCP treats a late packet as lost: it retransmits the packet and reduces its
 * window although the link lost nothing. So retransmissions do not indicate losses, and segments in flight do not indicate the window.
 */
export const isDisordered = ({ reorder }: Pick<ConditionValues, "reorder">, { packets: { path } }: Evidence): boolean =>
  reorder === "on" && directions.some((direction) => path[direction].transit?.reordered);
