/** A load within its run: whether the plan has it, and what its lane and the measurements of its link say. */
import { linkName } from "../../schema/link.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Lane } from "../../schema/records.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { laneDoubts } from "./lanes.ts";
import { LinkHistory } from "./links.ts";
import { Neighbours, type PlacedLoad } from "./neighbours.ts";

export interface Doubts {
  /** Why nobody can vouch for it, its own evidence aside. */
  doubts: string[];
  /** Of those, what the link was. */
  linkDoubts: string[];
}

/** Looks at a run's loads one by one, in the order of the file. */
export class RunJudge {
  readonly manifest: Manifest;
  readonly conditions: ReadonlyMap<string, Condition>;
  readonly links: LinkHistory;
  readonly #lanes: ReadonlyMap<number, Lane>;
  readonly #laneDoubts: ReadonlyMap<number, string[]>;
  readonly #neighbours: Neighbours;
  /** Condition -> blocks that have it. */
  readonly #seen = new Map<string, Set<number>>();

  constructor({ manifest, lanes, calibrations }: Pick<SavedRun, "manifest" | "lanes" | "calibrations">) {
    this.manifest = manifest;
    this.conditions = new Map(conditionsOfRun(manifest).map((condition) => [condition.id, condition]));
    this.links = new LinkHistory(calibrations);
    this.#lanes = new Map(lanes.map((lane) => [lane.lane, lane]));
    this.#laneDoubts = laneDoubts(manifest, lanes, calibrations);
    this.#neighbours = new Neighbours([...this.conditions.keys()], manifest, this.#lanes);
  }

  laneOf = (number: number): Lane | undefined => this.#lanes.get(number);

  /** @returns of a load that failed, what is wrong with its line */
  look(load: PlacedLoad): Doubts {
    const byNeighbours = this.#neighbours.see(load);
    const { condition: id, block, lane: number } = load;
    if (!load.ok) {
      const planned = this.conditions.has(id) && block <= this.manifest.loads;
      return { doubts: [...(planned ? [] : ["it is not in the plan"]), ...byNeighbours], linkDoubts: [] };
    }
    const condition = this.conditions.get(id);
    const blocks = this.#seen.get(id) ?? new Set();
    this.#seen.set(id, blocks);
    const planned = condition !== undefined && block <= this.manifest.loads;
    const lane = this.#lanes.get(number);
    const link = condition && linkName(condition.settings.link);
    const linkDoubts = link ? this.links.doubts(link, lane) : [];
    const doubts = [
      ...(planned ? [] : ["it is not in the plan"]),
      ...(planned && blocks.has(block) ? ["its block has this condition already"] : []),
      ...(lane ? this.#laneDoubts.get(number)! : [`no lane ${number} says what it ran on`]),
      ...byNeighbours,
      ...linkDoubts,
    ];
    if (planned) blocks.add(block);
    return { doubts, linkDoubts };
  }
}
