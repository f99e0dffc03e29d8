/** A run's loads as reports need them: judged, by the index where it knows them, with the marks that tables print. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { metrics } from "../../metrics/registry.ts";
import type { LoadRecord } from "../../schema/records.ts";
import { type Judge, type JudgedLoad, JudgedLoads } from "../record/judged.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import type { LoadLine, SavedRun } from "../record/records.ts";
import { judgeLine } from "./load.ts";
import { placedLoad } from "./neighbours.ts";
import { RunJudge } from "./run.ts";
import { Undecided } from "./undecided.ts";

/** What a judgement follows from: when one of these files changes, loads are judged anew. */
const sources = ["axes", "schema", "metrics", "harness/judge", "harness/record"];

const sourcesHash = () => {
  const hash = createHash("sha256");
  for (const folder of sources)
    for (const file of readdirSync(folder).sort())
      if (/(?<!\.test)\.ts$/.test(file)) hash.update(file).update(readFileSync(`${folder}/${file}`));
  return hash.digest("hex");
};

/** A judge of this run's lines. */
export function judgeOf({ manifest, lanes }: Pick<SavedRun, "manifest" | "lanes">): Judge {
  const laneOf = new Map(lanes.map((lane) => [lane.lane, lane]));
  const conditions = new Map(conditionsOfRun(manifest).map((condition) => [condition.id, condition]));
  return {
    version: sourcesHash(),
    judge(line: LoadLine) {
      if (!("load" in line)) return null;
      const { load } = line;
      const condition = conditions.get(load.condition);
      const judgement =
        load.ok && condition ? judgeLine(load, condition, manifest.registries, laneOf.get(load.lane)) : null;
      return {
        ...summaryOf(load),
        contradictions: judgement?.contradictions ?? [],
        undecided: Object.keys(judgement?.undecided ?? {}),
        flags: judgement?.flags ?? [],
      };
    },
  };
}

/** A load without its evidence. */
function summaryOf(load: LoadRecord): Omit<JudgedLoad, "contradictions" | "undecided" | "flags"> {
  const { condition, block, attempt, lane, ok, startedAt, wallMs, fingerprints } = placedLoad(load);
  const { evidence } = load;
  const values = Object.values(metrics).map(({ name, of }) => [name, load.ok ? of(load.evidence) : null]);
  return {
    condition,
    block,
    attempt,
    lane,
    ok,
    startedAt,
    wallMs,
    fingerprints,
    metrics: Object.fromEntries(values),
    processorMs: evidence?.processor.labMs ?? null,
    queueDrops: evidence?.link.down.queueDroppedPackets ?? null,
  };
}

/** A load that tables may count, and whether they mark it. */
export interface MarkedLoad extends JudgedLoad {
  /** `./lab verify` doubts or flags it. */
  marked: boolean;
}

/** All of a run's loads, in the order of the file, one at a time; and what only all of them together say. */
export class MarkedLoads implements Iterable<MarkedLoad> {
  readonly #folder: string;
  readonly #run: SavedRun;
  #undecided = new Undecided();
  #head: string | null = null;

  constructor(folder: string, run: SavedRun) {
    this.#folder = folder;
    this.#run = run;
  }

  *[Symbol.iterator](): Generator<MarkedLoad> {
    const judge = new RunJudge(this.#run);
    this.#undecided = new Undecided();
    const judged = new JudgedLoads(this.#folder, this.#run, judgeOf(this.#run));
    for (const load of judged) {
      const { doubts: byRun } = judge.look(load);
      const doubts = load.ok ? [...byRun, ...load.contradictions] : [];
      if (load.ok && doubts.length === 0) this.#undecided.add(load.condition, load.undecided);
      yield { ...load, marked: doubts.length + load.flags.length > 0 };
    }
    const chain = this.#run.chain();
    for (const [chunk, hash] of Object.entries(judged.chunks)) chain?.end(Number(chunk), hash);
    this.#head = chain?.head() ?? null;
  }

  /** The chain's head (harness/record/chain.ts); null in version 2, which had none. Known when all were read. */
  head = (): string | null => this.#head;

  /** Conditions of which no load shows what an axis asked for: all their loads are marked. Known when all were read. */
  neverShown = (): Set<string> => new Set(this.#undecided.never().map(({ condition }) => condition));
}
