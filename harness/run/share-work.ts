/** How a plan's loads and links become chunks. */
import { linkName } from "../../schema/link.ts";
import type { Condition, PlannedLoad } from "../../schema/plan.ts";
import { chunkOf } from "../../schema/records.ts";
import { planBlocks } from "../plan/blocks.ts";
import type { Recorded } from "./recorded-chunks.ts";

export function slicesOf<Item>(items: Item[], size: number): Item[][] {
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, i) => i * size);
  return starts.map((start) => items.slice(start, start + size));
}

export const linkOf = ({ settings }: Condition) => linkName(settings.link);

/** Each link's first condition. */
export function conditionsByLink(loads: PlannedLoad[]): Condition[] {
  const first = new Map<string, Condition>();
  for (const { condition } of loads) if (!first.has(linkOf(condition))) first.set(linkOf(condition), condition);
  return [...first.values()];
}

/** The condition that measures each link where every link is measured first. A link's goodput depends on the server's TCP. */
export const measuringConditions = (conditions: Condition[], seed: number): Condition[] =>
  conditionsByLink(planBlocks(conditions, 1, seed));

/** The number of the next chunk: one more than any chunk that has a line. */
export const nextChunk = ({ lanes, calibrations }: Pick<Recorded, "lanes" | "calibrations">): number =>
  1 + Math.max(-1, ...lanes, ...calibrations.map(chunkOf));
