/** Checks a load within its run: that it is in the plan, and that its lane and its link's measurements are valid. */
import { linkName } from "../../../schema/link.ts";
import type { Condition } from "../../../schema/plan.ts";
import { chunkOf, type Lane } from "../../../schema/records.ts";
import { conditionsOfRun, type Manifest } from "../../record/manifest.ts";
import type { SavedRun } from "../../record/records.ts";
import { LinkHistory } from "../link/links.ts";
import type { LoadRow } from "../load/load-row.ts";
import { laneProblems } from "./lanes.ts";
import { Neighbours, type PlacedLoad } from "./neighbours.ts";

export interface PlaceProblems {
  /** What is wrong with a load, apart from its own evidence. */
  problems: string[];
  /** Whether one of the problems concerns the measurements of the load's link. */
  wrongLink: boolean;
}

export class Places {
  readonly conditions: ReadonlyMap<string, Condition>;
  readonly links: LinkHistory;
  readonly #manifest: Manifest;
  readonly #lanes: ReadonlyMap<number, Lane>;
  readonly #laneProblems: ReadonlyMap<number, string[]>;
  readonly #neighbours: Neighbours;
  /** Condition -> blocks in which this condition has a load that did not fail. */
  readonly #blocks = new Map<string, Set<number>>();

  constructor({ manifest, lanes, calibrations }: SavedRun) {
    this.#manifest = manifest;
    this.conditions = new Map(conditionsOfRun(manifest).map((condition) => [condition.id, condition]));
    this.links = new LinkHistory(calibrations, manifest.clock);
    this.#lanes = new Map(lanes.map((lane) => [chunkOf(lane), lane]));
    this.#laneProblems = laneProblems(manifest, lanes, calibrations);
    this.#neighbours = new Neighbours([...this.conditions.keys()], manifest, this.#lanes);
  }

  /** @param load the next load of the file; if the load failed and does not count, its lane and link are not checked */
  look(load: PlacedLoad & Pick<LoadRow, "observed">): PlaceProblems {
    const byNeighbours = this.#neighbours.see(load);
    const condition = this.conditions.get(load.condition);
    const isPlanned = condition !== undefined && load.block <= this.#manifest.loads;
    const place = [...(isPlanned ? [] : ["it is not in the plan"]), ...byNeighbours];
    if (load.observed === null) return { problems: place, wrongLink: false };
    const lane = this.#lanes.get(load.chunk);
    const ofLink = condition ? this.links.problemsOf(linkName(condition.settings.link), lane) : [];
    const ofLane = lane ? this.#laneProblems.get(load.chunk)! : [`its lane ${load.chunk} is not in lanes.jsonl`];
    const isRepeated = load.ok && isPlanned && !this.#isFirst(load);
    const repeated = isRepeated ? ["its block already has a load of this condition"] : [];
    return { problems: [...place, ...repeated, ...ofLane, ...ofLink], wrongLink: ofLink.length > 0 };
  }

  #isFirst({ condition, block }: PlacedLoad): boolean {
    const blocks = this.#blocks.get(condition) ?? new Set();
    this.#blocks.set(condition, blocks);
    const isFirst = !blocks.has(block);
    blocks.add(block);
    return isFirst;
  }
}
