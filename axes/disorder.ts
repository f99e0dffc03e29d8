import type { Evidence } from "../schema/evidence.ts";
import { directions } from "../schema/link.ts";
import type { ConditionValues } from "../schema/plan.ts";

/**
 * Whether jitter reordered packets in this load, as configured. TCP takes a late packet for a lost one: it retransmits it and reduces its
 * window although the link lost nothing. Then retransmissions do not indicate losses, and segments in flight do not indicate the window.
 */
export const isDisordered = ({ reorder }: Pick<ConditionValues, "reorder">, { packets: { path } }: Evidence): boolean =>
  reorder === "on" && directions.some((direction) => path[direction].transit?.reordered);
