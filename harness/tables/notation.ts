/** The short notation of scenarios in the paper's Table 11: (page,servers,rate,rtt,loss), e.g. (A,1,10,100,0). */
import { axes } from "../../axes/registry.ts";
import { printed } from "./format.ts";
import type { Speedup } from "./speedups.ts";

/**
 * Prints the scenario of an extreme speedup. "x" replaces components whose value makes no difference: all scenarios that differ only in these
 * components have the same printed speedup. Of several possible notations, the one that covers most scenarios is printed.
 * @param speedups all speedups of the comparison, including the extreme
 * @param named the axes that the short form has; other axes that distinguish scenarios follow them
 */
export function notation(speedups: readonly Speedup[], extreme: Speedup, named: readonly string[]): string {
  const components = componentsOf(speedups, named);
  let covered = 1;
  let freed = components.map(() => false);
  for (let mask = 1; mask < 1 << components.length; mask++) {
    const free = components.map((_, bit) => (mask & (1 << bit)) !== 0);
    const box = speedups.filter(({ scenario }) =>
      components.every((axis, bit) => free[bit] || scenario[axis] === extreme.scenario[axis]),
    );
    const varies = components.every(
      (axis, bit) => !free[bit] || new Set(box.map(({ scenario }) => scenario[axis])).size > 1,
    );
    if (box.length > covered && varies && box.every(({ speedup }) => ties(speedup, extreme.speedup))) {
      covered = box.length;
      freed = free;
    }
  }
  return `(${components.map((axis, bit) => (freed[bit] ? "x" : extreme.scenario[axis])).join(",")})`;
}

/** Returns the named axes that scenarios have, then each further axis that distinguishes scenarios with equal values on the axes before it. */
function componentsOf(speedups: readonly Speedup[], named: readonly string[]): string[] {
  const components = named.filter((axis) => speedups.every(({ scenario }) => scenario[axis] !== undefined));
  const distinct = (names: string[]) =>
    new Set(speedups.map(({ scenario }) => JSON.stringify(names.map((axis) => scenario[axis])))).size;
  for (const { name } of axes) if (distinct([...components, name]) > distinct(components)) components.push(name);
  return components;
}

const ties = (speedup: number | null, other: number | null): boolean =>
  speedup !== null && other !== null && printed(speedup) === printed(other);
