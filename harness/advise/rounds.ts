/** Makes the runs of one `./lab advise`, one after the other. A run that an earlier process has begun is continued. */
import type { AdvisePlan, AdviseSession } from "../plan/advise-plan.ts";
import { seedOfName } from "../plan/seeded.ts";
import type { OpenedRun } from "../run/resume.ts";
import { whyBroken } from "./broken.ts";
import { Budget, type Used } from "./budget.ts";
import type { Candidate } from "./candidate.ts";
import type { SeenPage } from "./change.ts";
import type { Asked as AskedBlocks } from "./search.ts";
import {
  allKnown,
  type Common,
  documentsToLearn,
  finishStage,
  type Known,
  type MadeStage,
  makeStage,
} from "./stage.ts";
import { planOf } from "./stage-times.ts";
import { type Times, unchanged } from "./times.ts";

export type SessionOf = Omit<AdviseSession, "stage" | keyof Used>;

export function askedIn(session: AdviseSession): SessionOf {
  const { id, stack, minutes, only, kinds, loads, seed, timeoutSeconds } = session;
  const given = { ...(kinds && { kinds }), ...(timeoutSeconds !== undefined && { timeoutSeconds }) };
  return { id, stack, minutes, only, loads, seed, ...given };
}

export interface Begun extends Common {
  session: SessionOf;
  command: string;
  /** Runs that an earlier, interrupted process made, the first one first. */
  earlier: readonly OpenedRun[];
}

type Purpose = Pick<AdvisePlan, "purpose" | "combined" | "dropped" | "search">;

/** In the search, a load counts as never ending if it takes this many times as long as the unchanged page's slowest load over any link. */
const patience = 5;
/** The search never lowers the time-out of loads below this many seconds. */
const leastSeconds = 10;

/** Returns how long a load of the search may take, in whole seconds. @param pageMs the unchanged page's times, by link and block */
export function searchSeconds(pageMs: ReadonlyMap<string, ReadonlyMap<number, number>>): number {
  const slowestMs = Math.max(...[...pageMs.values()].flatMap((byBlock) => [...byBlock.values()]));
  return Math.max(leastSeconds, Math.ceil((patience * slowestMs) / 1000));
}

export class Rounds {
  readonly #given: Begun;
  readonly budget: Budget;
  /** Changes that break the page or cannot be measured, and why. */
  readonly broken = new Map<string, string>();
  searchLoads = 0;
  #stages = 0;
  #known: Known = allKnown([]);
  /** How long a load of the search may take. This is known after the first run, which loads only the unchanged page. */
  #searchSeconds = Infinity;

  constructor(given: Begun) {
    this.#given = given;
    this.budget = new Budget(given.session.minutes);
  }

  /** @param what a name from which the run's seed is derived, so runs with different names have different random numbers */
  async make(
    seen: SeenPage | null,
    candidates: readonly Candidate[],
    { loads, what, ...purpose }: { loads: number; what: string } & Purpose,
  ): Promise<MadeStage> {
    const { plan, settings, session, command, earlier } = this.#given;
    const stage = ++this.#stages;
    const seed = seedOfName(`${session.seed} ${what}`);
    const limit = purpose.purpose === "search" ? this.#searchSeconds : Infinity;
    const timeout = limit < (session.timeoutSeconds ?? Infinity) ? limit : session.timeoutSeconds;
    const asked = { ...{ command, loads, seed, seen, timeout }, known: this.#known };
    const of = { ...session, stage, ...this.budget.used };
    const [begun, next] = [earlier[stage - 1], earlier[stage]];
    const all = loads * (candidates.length + 1) * plan.users.length;
    const work = { loads: all, documents: this.documentsOf(candidates) };
    const made = await this.budget.timed(work, settings.startProgress, (startProgress) => {
      const watched = { ...this.#given, settings: { ...settings, startProgress } };
      return begun
        ? finishStage(watched, candidates, { folder: begun.folder, isOver: next !== undefined })
        : makeStage(watched, candidates, { ...asked, ...purpose, session: of });
    });
    if (next) this.budget.restore(planOf(next.manifest, next.folder).session);
    if (purpose.purpose === "search") this.searchLoads += all;
    this.#known = allKnown([this.#known, made.known]);
    if (stage === 1) this.#searchSeconds = searchSeconds(made.times.get(unchanged)!);
    return made;
  }

  documentsOf = (candidates: readonly Candidate[]): number => documentsToLearn(this.#given, candidates, this.#known);

  /** Measures new blocks, and numbers them from `firstBlock`. A change that breaks the page, or has no loads, gets infinite times. */
  async measure(
    seen: SeenPage | null,
    candidates: readonly Candidate[],
    { blocks, firstBlock, what }: Omit<AskedBlocks, "changes"> & { what: string },
  ): Promise<Times> {
    const working = candidates.filter(({ name }) => !this.broken.has(name));
    const made = await this.make(seen, working, { loads: blocks, what: `${what} ${firstBlock}`, purpose: "search" });
    this.noteBroken(working, made);
    const links = this.#given.plan.users.map(({ link }) => link);
    const never = new Map(Array.from({ length: blocks }, (_, i) => [firstBlock + i, Infinity]));
    const timesOf = (name: string, link: string) => {
      const own = this.broken.has(name) ? undefined : made.times.get(name)?.get(link);
      return own ? new Map([...own].map(([block, ms]) => [block + firstBlock - 1, ms])) : never;
    };
    const names = [unchanged, ...candidates.map(({ name }) => name)];
    return new Map(names.map((name) => [name, new Map(links.map((link) => [link, timesOf(name, link)]))]));
  }

  noteBroken(candidates: readonly Candidate[], { shown, unmeasured }: MadeStage): void {
    const before = shown.get(unchanged);
    for (const candidate of candidates) {
      const after = shown.get(candidate.name);
      const gap = unmeasured.get(candidate.name);
      const broken = before && after ? whyBroken(candidate, before, after) : null;
      if (gap !== undefined) this.broken.set(candidate.name, `cannot be measured: ${gap}`);
      else if (broken !== null) this.broken.set(candidate.name, `breaks the page: ${broken}`);
    }
  }
}
