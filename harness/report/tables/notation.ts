/** A setting in short, as the paper's Table 11 has it: (page,servers,rate,rtt,loss), e.g. (A,1,10,100,0). */
import { axes } from "../../../axes/registry.ts";
import { printed } from "./format.ts";
import type { Gain } from "./gains.ts";

/**
 * The setting of an extreme gain, with "x" for a component whose every value gives the same printed gain.
 * Several components are "x" together only if all their combinations tie; of the possible ways, the one that
 * covers most settings is taken.
 * @param gains all gains of the case, among them the extreme
 * @param named the axes that the short form has; what else tells settings apart follows them
 */
export function notation(gains: readonly Gain[], extreme: Gain, named: readonly string[]): string {
  const components = componentsOf(gains, named);
  let covered = 1;
  let freed = components.map(() => false);
  for (let mask = 1; mask < 1 << components.length; mask++) {
    const free = components.map((_, bit) => (mask & (1 << bit)) !== 0);
    const box = gains.filter(({ setting }) =>
      components.every((axis, bit) => free[bit] || setting[axis] === extreme.setting[axis]),
    );
    const varies = components.every(
      (axis, bit) => !free[bit] || new Set(box.map(({ setting }) => setting[axis])).size > 1,
    );
    if (box.length > covered && varies && box.every(({ gain }) => ties(gain, extreme.gain))) {
      covered = box.length;
      freed = free;
    }
  }
  return `(${components.map((axis, bit) => (freed[bit] ? "x" : extreme.setting[axis])).join(",")})`;
}

/** The named axes that settings have, then each other axis that tells two settings apart which are alike so far. */
function componentsOf(gains: readonly Gain[], named: readonly string[]): string[] {
  const components = named.filter((axis) => gains.every(({ setting }) => setting[axis] !== undefined));
  const distinct = (names: string[]) =>
    new Set(gains.map(({ setting }) => JSON.stringify(names.map((axis) => setting[axis])))).size;
  for (const { name } of axes) if (distinct([...components, name]) > distinct(components)) components.push(name);
  return components;
}

const ties = (gain: number | null, other: number | null): boolean =>
  gain !== null && other !== null && printed(gain) === printed(other);
