/** A load within its run: whether the plan has it, and what its lane and the measurements of its link say. */
import { linkName } from "../../schema/link.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Lane } from "../../schema/records.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { LinkHistory } from "./links.ts";

/** What a load is known by. */
export interface LoadIdentity {
  condition: string;
  block: number;
  lane: number;
}

export interface Doubts {
  /** Why nobody can vouch for it, its own evidence aside. */
  doubts: string[];
  /** Of those, what the link was. */
  linkDoubts: string[];
}

/** Looks at a run's good loads one by one, in the order of the file. */
export class RunJudge {
  readonly manifest: Manifest;
  readonly conditions: ReadonlyMap<string, Condition>;
  readonly links: LinkHistory;
  readonly #lanes: ReadonlyMap<number, Lane>;
  /** Condition -> blocks that have it. */
  readonly #seen = new Map<string, Set<number>>();

  constructor({ manifest, lanes, calibrations }: Pick<SavedRun, "manifest" | "lanes" | "calibrations">) {
    this.manifest = manifest;
    this.conditions = new Map(conditionsOfRun(manifest).map((condition) => [condition.id, condition]));
    this.links = new LinkHistory(calibrations);
    this.#lanes = new Map(lanes.map((lane) => [lane.lane, lane]));
  }

  look({ condition: id, block, lane: number }: LoadIdentity): Doubts {
    const condition = this.conditions.get(id);
    const blocks = this.#seen.get(id) ?? new Set();
    this.#seen.set(id, blocks);
    const planned = condition !== undefined && block <= this.manifest.loads;
    const lane = this.#lanes.get(number);
    const link = condition && linkName(condition.settings.link);
    const linkDoubts = link ? this.links.doubts(link, lane?.calibrations[link]) : [];
    const doubts = [
      ...(planned ? [] : ["it is not in the plan"]),
      ...(planned && blocks.has(block) ? ["its block has this condition already"] : []),
      ...this.#laneDoubts(lane, number),
      ...linkDoubts,
    ];
    if (planned) blocks.add(block);
    return { doubts, linkDoubts };
  }

  #laneDoubts(lane: Lane | undefined, number: number): string[] {
    if (!lane) return [`no lane ${number} says what it ran on`];
    const { clock, sysctls } = lane;
    return [
      ...(clock === this.manifest.clock ? [] : [`its lane's clock is ${clock}, the run's ${this.manifest.clock}`]),
      ...(sysctls.tcp_no_metrics_save === "1"
        ? []
        : [`tcp_no_metrics_save was ${sysctls.tcp_no_metrics_save} on the client`]),
    ];
  }
}

/** Of an axis that some of a condition's loads could not tell of, whether another did. */
export class Undecided {
  /** Condition -> axis -> how many of its loads could not tell. */
  readonly #undecided = new Map<string, Map<string, number>>();
  readonly #loads = new Map<string, number>();

  add(condition: string, axes: Iterable<string>): void {
    this.#loads.set(condition, (this.#loads.get(condition) ?? 0) + 1);
    for (const axis of axes) {
      const counts = this.#undecided.get(condition) ?? new Map<string, number>();
      this.#undecided.set(condition, counts.set(axis, (counts.get(axis) ?? 0) + 1));
    }
  }

  /** The conditions of which no load could tell of an axis. */
  never(): { condition: string; axis: string; loads: number }[] {
    return [...this.#undecided].flatMap(([condition, counts]) => {
      const loads = this.#loads.get(condition)!;
      return [...counts].flatMap(([axis, count]) => (count === loads ? [{ condition, axis, loads }] : []));
    });
  }
}
