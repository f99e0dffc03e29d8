/** Simulates gates from loads of committed runs, with the gate's own functions, and counts their results. */
import { demandsOn, gravestOf, type Result } from "../harness/gate/demands.ts";
import { comparisonsOf } from "../harness/gate/differences.ts";
import { type GateLoad, mediansOf, sampleOf } from "../harness/gate/sample.ts";
import { LossPool } from "../harness/judge/link/pooled-loss.ts";
import { linkName } from "../schema/link.ts";
import { changed, type Drawn } from "./drawn.ts";
import { type Random, randomOf } from "./random.ts";

export type Outcome = Result | "invalid";
export type Outcomes = Record<Outcome, number>;

/** Edits of a page, named by their effect on the loads of the edited page. */
export const edits = [
  "none",
  "a packet more",
  "5% longer",
  "10% longer",
  "a round trip longer",
  "half as long again",
  "never ends",
  "never ends in nine of ten",
] as const;
export type Edit = (typeof edits)[number];
/** The edits that a gate must pass. */
export const costsNothing: ReadonlySet<Edit> = new Set(["none", "a packet more"]);
/** Small slowdowns. The less a gate's loads scatter, the more of these slowdowns the gate detects. */
export const costsLittle: ReadonlySet<Edit> = new Set(["5% longer", "10% longer", "a round trip longer"]);

const [links, loadsOfSide, threshold] = [3, 10, 0.02];
/** How many pairs of loads a condition needs, so that both sides can have different loads. */
export const enoughPairs = 2 * loadsOfSide;
/** In one of this many gates, the slowest loads time out. A gate run's loads never do: they are so alike that one more packet would time out most. */
const timeoutIn = 4;
const packetBits = 8 * 1514;

/** @param pairing whether the sides' loads come from the same pairs; then both loads of a pair have the same losses, as on the virtual clock */
export function simulateGates(
  conditions: readonly Drawn[],
  { edit, gates, pairing }: { edit: Edit; gates: number; pairing: boolean },
): Outcomes {
  const random = randomOf(1);
  const outcomes: Outcomes = { passed: 0, undecided: 0, failed: 0, invalid: 0 };
  for (let gate = 0; gate < gates; gate++) {
    const hasTimeouts = gate % timeoutIn === 0;
    const drawn = shuffled(conditions, random).slice(0, links);
    const rows = drawn.map((one) =>
      rowOf(hasTimeouts && !one.areAsMade ? withTimeout(one, random) : one, { edit, pairing }, random),
    );
    const isInvalid = rows.some(({ invalid }) => invalid);
    outcomes[isInvalid ? "invalid" : gravestOf(rows.map(({ result }) => result))]++;
  }
  return outcomes;
}

function rowOf(
  drawn: Drawn,
  { edit, pairing }: { edit: Edit; pairing: boolean },
  random: Random,
): { result: Result; invalid: boolean } {
  const { condition, pairs, areAsMade, timeoutMs } = drawn;
  const order = shuffled(pairs, random);
  const from = order.slice(0, loadsOfSide).map(([before]) => before);
  const to = (pairing ? order.slice(0, loadsOfSide) : order.slice(loadsOfSide, enoughPairs)).map(([, after]) => after);
  const pool = new LossPool();
  const { link } = condition.settings;
  for (const { evidence, block } of new Set([...from, ...to]))
    pool.add(linkName(link), link, evidence.link, areAsMade ? block : null);
  const [before, after] = [from, to.map((load) => edited(load, edit, drawn, random))].map((side) =>
    sampleOf(
      side.map((load, i) => ({ ...load, block: i + 1 })),
      timeoutMs,
    ),
  );
  const comparisons = comparisonsOf(before!, after!, links);
  const medians = { before: mediansOf(before!), after: mediansOf(after!) };
  const demands = demandsOn({ link: linkName(link), ...medians, comparisons }, { threshold, budgets: [] });
  return {
    result: gravestOf(demands.map(({ result }) => result)),
    invalid: pool.losses().some(({ withinTolerance }) => !withinTolerance),
  };
}

/** Sets a time-out that up to a fifth of the loads exceed, and marks these loads as timed out. */
function withTimeout(drawn: Drawn, random: Random): Drawn {
  const timeOf = ({ evidence }: GateLoad) => evidence.timing.loadEventStart ?? Infinity;
  const times = drawn.pairs.map(([before]) => timeOf(before)).sort((a, b) => a - b);
  const timeoutMs = times[Math.floor((0.8 + 0.2 * random()) * times.length)]!;
  const pairs = drawn.pairs.map((pair) => changed(pair, (load) => (timeOf(load) > timeoutMs ? givenUp(load) : load)));
  return { ...drawn, pairs, timeoutMs };
}

const givenUp = ({ evidence: { paint: _, ...evidence }, block }: GateLoad): GateLoad => ({
  ...{ block, ended: false },
  evidence: { ...evidence, timing: {} },
});

function edited(load: GateLoad, edit: Edit, { condition, timeoutMs }: Drawn, random: Random): GateLoad {
  if (edit === "never ends" || (edit === "never ends in nine of ten" && random() < 0.9)) return givenUp(load);
  const { evidence } = load;
  const change = {
    none: (ms: number) => ms,
    "a packet more": (ms: number) => ms + packetBits / (1000 * condition.settings.link.downMbps),
    "5% longer": (ms: number) => 1.05 * ms,
    "10% longer": (ms: number) => 1.1 * ms,
    "a round trip longer": (ms: number) => ms + condition.settings.link.rttMs,
    "half as long again": (ms: number) => 1.5 * ms,
    "never ends in nine of ten": (ms: number) => ms,
  }[edit];
  const { loadEventStart } = evidence.timing;
  if (loadEventStart === undefined) return load;
  if (change(loadEventStart) > timeoutMs) return givenUp(load);
  return {
    ...load,
    evidence: {
      ...evidence,
      timing: { ...evidence.timing, loadEventStart: change(loadEventStart) },
      ...(evidence.paint && {
        paint: {
          firstContentfulMs: change(evidence.paint.firstContentfulMs),
          ...(evidence.paint.largestContentfulMs !== undefined && {
            largestContentfulMs: change(evidence.paint.largestContentfulMs),
          }),
        },
      }),
    },
  };
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  const left = [...all];
  return Array.from({ length: all.length }, () => left.splice(Math.floor(random() * left.length), 1)[0]!);
}
