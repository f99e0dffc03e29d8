/** Whether saved files alone show that a run's loads were made under the conditions their rows name. Reads each line once. */
import { axes, axisNames } from "../../axes/registry.ts";
import { linkName } from "../../schema/link.ts";
import type { Calibration, FailedLoad } from "../../schema/records.ts";
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

export function verify(run: SavedRun): Verification {
  const judge = new RunJudge(run);
  const chain = run.chain();
  const report = {
    loads: 0,
    vouched: 0,
    doubted: [] as NamedLoad[],
    wrongLinks: 0,
    flagged: [] as NamedLoad[],
    failed: 0,
    failedUnseen: 0,
    tornLines: 0,
    problems: [...run.problems],
  };
  const [pool, sightings, undecided, hidden] = [new LossPool(), new Sightings(), new Undecided(), new HiddenPool()];
  const proofs = new Proofs();
  const timesMs = new Map<string, Map<number, number>>(); // condition -> block -> of the load that counts
  for (const line of run.loads()) {
    if ("torn" in line) report.tornLines++;
    else if ("problem" in line) report.problems.push(`loads.jsonl, byte ${line.line.offset}: ${line.problem}`);
    else if (!line.load.ok) {
      report.failed++;
      chain?.see(line.load.lane, line.load.previous, line.line.bytes);
      const { condition, block, attempt } = line.load;
      for (const doubt of judge.look(placedLoad(line.load)).doubts)
        report.problems.push(`block ${block}, attempt ${attempt}, ${condition}, a failed try: ${doubt}`);
      if (!line.load.evidence) report.failedUnseen++;
      else if (!failsAsItSays(line.load, judge, run.manifest))
        report.problems.push(
          `block ${block}, attempt ${attempt}, ${condition}: it failed by its evidence, which contradicts nothing`,
        );
    } else {
      const { load } = line;
      report.loads++;
      const condition = judge.conditions.get(load.condition);
      const broken = chain?.see(load.lane, load.previous, line.line.bytes) ?? null;
      const { doubts, linkDoubts } = judge.look(placedLoad(load));
      const judgement = condition ? judgeLine(load, condition, run.manifest.registries, judge.laneOf(load.lane)) : null;
      const traced = traceProblems(load, run.manifest, run.traceOf);
      const reasons = [...(broken ? [broken] : []), ...doubts, ...(judgement?.contradictions ?? []), ...traced];
      const named = (texts: string[]) => ({
        condition: load.condition,
        block: load.block,
        attempt: load.attempt,
        reasons: texts,
      });
      const made = timesMs.get(load.condition) ?? new Map<number, number>();
      if (condition && load.block <= run.manifest.loads && !made.has(load.block)) made.set(load.block, load.pageLoadMs);
      timesMs.set(load.condition, made);
      if (linkDoubts.length) report.wrongLinks++;
      if (reasons.length) report.doubted.push(named(reasons));
      if (!condition || !judgement || reasons.length) continue;
      report.vouched++;
      if (judgement.flags.length) report.flagged.push(named(judgement.flags));
      const link = linkName(condition.settings.link);
      pool.add(link, condition.settings.link, load.evidence.link);
      sightings.add(link, load);
      undecided.add(load.condition, Object.keys(judgement.undecided));
      hidden.add(Object.keys(judgement.undecided), load.evidence, condition.settings.route.server.initcwnd ?? 10);
      proofs.add(judgement);
    }
  }
  const enough = enoughOf(run.manifest);
  const missing = [...judge.conditions.keys()].reduce((sum, id) => {
    const times = [...(timesMs.get(id)?.values() ?? [])];
    return enough(times) ? sum : sum + run.manifest.loads - times.length;
  }, 0);
  return {
    ...report,
    missing,
    problems: [...report.problems, ...judge.links.problems()],
    notes: notesOf(run),
    chain: chain && { head: chain.head(), breaks: chain.breaks },
    axes: proofs.list(),
    neverShown: undecided.never(),
    tooOften: hidden.tooOften(),
    losses: pool.losses(),
    links: judge.links.last(),
    sightings: sightings.summary(),
  };
}

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
