/** Whether saved files alone show that a run's loads were made under the conditions their rows name. Reads each line once. */
import { axes, axisNames } from "../../axes/registry.ts";
import { linkName } from "../../schema/link.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Calibration, FailedLoad, GoodLoad, LoadRecord } from "../../schema/records.ts";
import type { Manifest } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { enoughOf } from "../statistics/until.ts";
import { type Judgement, judgeLine, judgeLoad } from "./load.ts";
import { placedLoad } from "./neighbours.ts";
import { notesOf } from "./notes.ts";
import { LossPool, type PooledLoss } from "./pooled-loss.ts";
import { RunJudge } from "./run.ts";
import { Sightings } from "./sightings.ts";
import { traceProblems } from "./traces.ts";
import { HiddenPool, type TooOften, Undecided } from "./undecided.ts";

export interface NamedLoad {
  condition: string;
  block: number;
  attempt: number;
  reasons: string[];
}

/** How many vouched loads showed what an axis asked for, by chance did not, or could not. */
export interface AxisProof {
  axis: string;
  held: number;
  undecided: number;
  unseen: number;
  /** Why it cannot be seen, where it cannot. */
  because: string[];
}

export interface Verification {
  loads: number;
  vouched: number;
  /** Loads nobody can vouch for, and why. */
  doubted: NamedLoad[];
  /** Of those, how many because of their link. */
  wrongLinks: number;
  /** Loads that are what their row says, but not of the network alone. */
  flagged: NamedLoad[];
  failed: number;
  /** Of those, how many left no evidence that shows it. */
  failedUnseen: number;
  /** Planned loads without a good one. */
  missing: number;
  /** Lines that a crash cut off, and lines that are whole and no record. */
  tornLines: number;
  problems: string[];
  /** What does not make the run wrong, and a reader should know: of its names, its lanes, its chunks. */
  notes: string[];
  /** Its head, and where it is broken; null in version 2, which had none. */
  chain: { head: string; breaks: string[] } | null;
  axes: AxisProof[];
  /** Conditions of which no load shows what an axis asked for. */
  neverShown: { condition: string; axis: string; loads: number }[];
  /** What was hidden in more loads than the link's chance hides it in. */
  tooOften: TooOften[];
  losses: PooledLoss[];
  /** The last measurement of each link. */
  links: Calibration[];
  sightings: ReturnType<Sightings["summary"]>;
}

/** Told of each load, once it is judged. @param judgement null for one that failed, or that is of no condition */
export type Watch = (load: LoadRecord, doubts: readonly string[], judgement: Judgement | null) => void;

/** @param watch for who needs the loads too: a run may take minutes to read */
export function verify(run: SavedRun, watch: Watch = () => {}): Verification {
  const reader = new Reader(run, watch);
  for (const line of run.loads()) {
    if ("torn" in line) reader.report.tornLines++;
    else if ("problem" in line) reader.report.problems.push(`loads.jsonl, byte ${line.line.offset}: ${line.problem}`);
    else if (line.load.ok) reader.good(line.load, line.line.bytes);
    else reader.failed(line.load, line.line.bytes);
  }
  return reader.verification();
}

/** What is known of a run by the lines that were read. */
class Reader {
  readonly report = {
    loads: 0,
    vouched: 0,
    doubted: [] as NamedLoad[],
    wrongLinks: 0,
    flagged: [] as NamedLoad[],
    failed: 0,
    failedUnseen: 0,
    tornLines: 0,
    problems: [] as string[],
  };
  readonly #run: SavedRun;
  readonly #watch: Watch;
  readonly #judge: RunJudge;
  readonly #chain: ReturnType<SavedRun["chain"]>;
  readonly #pool = new LossPool();
  readonly #sightings = new Sightings();
  readonly #undecided = new Undecided();
  readonly #hidden = new HiddenPool();
  readonly #proofs = new Proofs();
  /** Condition -> block -> of the load that counts. */
  readonly #timesMs = new Map<string, Map<number, number>>();

  constructor(run: SavedRun, watch: Watch) {
    this.#run = run;
    this.#watch = watch;
    this.#judge = new RunJudge(run);
    this.#chain = run.chain();
    this.report.problems.push(...run.problems);
  }

  failed(load: FailedLoad, bytes: Buffer): void {
    const { condition, block, attempt } = load;
    const named = `block ${block}, attempt ${attempt}, ${condition}`;
    this.report.failed++;
    this.#chain?.see(load.lane, load.previous, bytes);
    const { doubts } = this.#judge.look(placedLoad(load));
    for (const doubt of doubts) this.report.problems.push(`${named}, a failed try: ${doubt}`);
    this.#watch(load, doubts, null);
    if (!load.evidence) this.report.failedUnseen++;
    else if (!failsAsItSays(load, this.#judge, this.#run.manifest))
      this.report.problems.push(`${named}: it failed by its evidence, which contradicts nothing`);
  }

  good(load: GoodLoad, bytes: Buffer): void {
    const { manifest, traceOf } = this.#run;
    this.report.loads++;
    const condition = this.#judge.conditions.get(load.condition);
    const broken = this.#chain?.see(load.lane, load.previous, bytes) ?? null;
    const { doubts, linkDoubts } = this.#judge.look(placedLoad(load));
    const lane = this.#judge.laneOf(load.lane);
    const judgement = condition ? judgeLine(load, condition, manifest.registries, lane) : null;
    const traced = traceProblems(load, manifest, traceOf);
    const reasons = [...(broken ? [broken] : []), ...doubts, ...(judgement?.contradictions ?? []), ...traced];
    this.#watch(load, reasons, judgement);
    this.#time(load, condition);
    if (linkDoubts.length) this.report.wrongLinks++;
    if (reasons.length) this.report.doubted.push(namedLoad(load, reasons));
    if (condition && judgement && !reasons.length) this.#vouch(load, condition, judgement);
  }

  #time({ condition: id, block, pageLoadMs }: GoodLoad, condition: Condition | undefined): void {
    const made = this.#timesMs.get(id) ?? new Map<number, number>();
    if (condition && block <= this.#run.manifest.loads && !made.has(block)) made.set(block, pageLoadMs);
    this.#timesMs.set(id, made);
  }

  #vouch(load: GoodLoad, { settings }: Condition, judgement: Judgement): void {
    const undecided = Object.keys(judgement.undecided);
    const link = linkName(settings.link);
    this.report.vouched++;
    if (judgement.flags.length) this.report.flagged.push(namedLoad(load, judgement.flags));
    this.#pool.add(link, settings.link, load.evidence.link);
    this.#sightings.add(link, load);
    this.#undecided.add(load.condition, undecided);
    this.#hidden.add(undecided, load.evidence, settings.route.server.initcwnd ?? 10);
    this.#proofs.add(judgement);
  }

  #missing(): number {
    const { manifest } = this.#run;
    const enough = enoughOf(manifest);
    return [...this.#judge.conditions.keys()].reduce((sum, id) => {
      const times = [...(this.#timesMs.get(id)?.values() ?? [])];
      return enough(times) ? sum : sum + manifest.loads - times.length;
    }, 0);
  }

  verification(): Verification {
    const { links } = this.#judge;
    return {
      ...this.report,
      missing: this.#missing(),
      problems: [...this.report.problems, ...links.problems()],
      notes: notesOf(this.#run),
      chain: this.#chain && { head: this.#chain.head(), breaks: this.#chain.breaks },
      axes: this.#proofs.list(),
      neverShown: this.#undecided.never(),
      tooOften: this.#hidden.tooOften(),
      losses: this.#pool.losses(),
      links: links.last(),
      sightings: this.#sightings.summary(),
    };
  }
}

const namedLoad = ({ condition, block, attempt }: GoodLoad, reasons: string[]): NamedLoad => ({
  condition,
  block,
  attempt,
  reasons,
});

/** Whoever calls a slow load a failed one must find fault with its evidence. */
function failsAsItSays(
  { condition: id, evidence, reason }: FailedLoad,
  { conditions }: RunJudge,
  { recordedVersion, registries }: Manifest,
): boolean {
  const condition = conditions.get(id);
  const timeMs = evidence?.timing.loadEventStart;
  if (recordedVersion === 2 || !reason.startsWith("evidence: ")) return true;
  return Boolean(
    evidence && condition && timeMs && judgeLoad(timeMs, evidence, condition, registries).contradictions.length,
  );
}

class Proofs {
  readonly #counts = new Map<string, AxisProof>(
    axes.map(({ name }) => [name, { axis: name, held: 0, undecided: 0, unseen: 0, because: [] }]),
  );

  add({ undecided, unseen }: Judgement): void {
    for (const [axis, proof] of this.#counts) {
      const why = unseen[axis];
      if (why !== undefined) {
        proof.unseen++;
        if (!proof.because.includes(why)) proof.because.push(why);
      } else if (axis in undecided) proof.undecided++;
      else proof.held++;
    }
  }

  list = (): AxisProof[] =>
    [...this.#counts.values()].sort((a, b) => axisNames.indexOf(a.axis) - axisNames.indexOf(b.axis));
}
