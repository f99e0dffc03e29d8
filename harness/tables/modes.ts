/** Conditions whose times fall into separate groups, and the segments that servers retransmitted in each group's loads. */
import type { Evidence } from "../../schema/evidence.ts";
import { recordedLoads } from "../judge/run/judged-loads.ts";
import type { SavedRun } from "../record/records.ts";
import { type Group, groupsIn } from "../statistics/modes.ts";
import { FirstAttempts, type Sample } from "./counted.ts";

export interface Range {
  least: number;
  most: number;
}

export interface ModeGroup extends Group {
  /** Segments that servers retransmitted in the group's loads, by host; empty if the run's lines were not read. */
  repeatedSegments: Record<string, Range>;
}

export interface ConditionModes {
  condition: string;
  /** From the shortest times to the longest. */
  groups: ModeGroup[];
}

/** Returns how many segments servers retransmitted in a load, by host. */
export type Repeated = (condition: string, block: number) => Readonly<Record<string, number>> | undefined;

export function modesOf(
  samples: readonly Sample[],
  repeatedIn: (conditions: ReadonlySet<string>) => Repeated,
): ConditionModes[] {
  const found = samples.flatMap(({ condition: { id }, byBlock }) => {
    const groups = groupsIn([...byBlock.values()]);
    return groups.length ? [{ condition: id, byBlock, groups }] : [];
  });
  if (found.length === 0) return [];
  const repeated = repeatedIn(new Set(found.map(({ condition }) => condition)));
  return found.map(({ condition, byBlock, groups }) => ({
    condition,
    groups: groups.map((group) => {
      const own = [...byBlock].filter(([, value]) => value >= group.least && value <= group.most);
      return {
        ...group,
        repeatedSegments: rangesOf(
          own.map(([block]) => repeated(condition, block)).filter((load) => load !== undefined),
        ),
      };
    }),
  }));
}

function rangesOf(loads: readonly Readonly<Record<string, number>>[]): Record<string, Range> {
  const hosts = [...new Set(loads.flatMap((load) => Object.keys(load)))].sort();
  return Object.fromEntries(
    hosts.map((host) => {
      const numbers = loads.map((load) => load[host] ?? 0);
      return [host, { least: Math.min(...numbers), most: Math.max(...numbers) }];
    }),
  );
}

export const repeatedSegments =
  (run: SavedRun) =>
  (conditions: ReadonlySet<string>): Repeated => {
    const first = new FirstAttempts<{ attempt: number; byHost: Record<string, number> }>();
    for (const { condition, block, attempt, ok, record } of recordedLoads(run)) {
      const load = ok && conditions.has(condition) ? record() : null;
      if (load?.ok) first.add(condition, block, { attempt, byHost: repeatedByHost(load.evidence) });
    }
    return (condition, block) => first.of(condition).get(block)?.byHost;
  };

function repeatedByHost({ packets: { flows } }: Evidence): Record<string, number> {
  const byHost: Record<string, number> = {};
  for (const { host, server } of flows) if (server) byHost[host] = (byHost[host] ?? 0) + server.retransmittedSegments;
  return byHost;
}
