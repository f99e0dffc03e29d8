import type { Evidence } from "../schema/evidence.ts";
import { directions } from "../schema/link.ts";
import type { ConditionValues } from "../schema/plan.ts";

/**
 * Whether jitter changed the order of packets in this load, as configured. TCP takes a late packet for a lost one: it sends it again and
 * reduces its window although the link lost nothing, so that neither retransmissions nor segments in flight show what they show in order.
 */
export const isDisordered = ({ reorder }: Pick<ConditionValues, "reorder">, { packets: { path } }: Evidence): boolean =>
  reorder === "on" && directions.some((direction) => path[direction].transit?.reordered);
