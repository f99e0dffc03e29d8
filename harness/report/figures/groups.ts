/** The numbers that stand at the same place of a figure. */
import { type Place, placeKey } from "./layout.ts";
import type { Measured } from "./measure.ts";

export interface Group {
  place: Place;
  all: Measured[];
}

export function grouped(all: readonly Measured[], placeOf: (one: Measured) => Place): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const one of all) {
    const place = placeOf(one);
    const group = groups.get(placeKey(place)) ?? { place, all: [] };
    group.all.push(one);
    groups.set(placeKey(place), group);
  }
  return groups;
}

/** Whether two places have the numbers of the same scenarios. */
export const sameKeys = (some: readonly Measured[] = [], others: readonly Measured[] = []): boolean =>
  JSON.stringify(some.map(({ key }) => key).sort()) === JSON.stringify(others.map(({ key }) => key).sort());
