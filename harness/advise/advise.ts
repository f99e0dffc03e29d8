/**
 * The steps of `./lab advise`: it looks at the page, searches for the best changes, combines these, and measures the chosen changes in
 * fresh loads. No saving is computed from the search's loads, because the search chose changes that chance favoured in those loads.
 */
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { counted } from "../../schema/words.ts";
import type { DroppedChange } from "../plan/advise-plan.ts";
import { sharesOf } from "./advise-report.ts";
import type { Work } from "./budget.ts";
import { type Candidate, candidatesOf, isPossible, leavesOut, separator, together } from "./candidate.ts";
import type { SeenPage, Tried } from "./change.ts";
import { combine } from "./combine.ts";
import { chooseRows, finalists, reservedRows } from "./final-rows.ts";
import { kindsNamed } from "./registry.ts";
import { type Begun, Rounds } from "./rounds.ts";
import { type SearchResult, search } from "./search.ts";
import { lookAt } from "./seen-page.ts";
import { type Standings, worthShare } from "./standings.ts";

export interface Asking extends Begun {
  /** The page's files; null if the lab cannot edit them. */
  editable: Pick<SeenPage, "page" | "document"> | null;
  tried: Omit<Tried, "seen">;
}

/** How many blocks are loaded to decide which change to add to the combination. */
const stepBlocks = 3;

/** @returns the folder of the run with the fresh loads @throws LabError (interrupted), after printing what is known so far */
export async function advise(asking: Asking): Promise<string> {
  const { session, settings } = asking;
  const work = new Advising(asking);
  try {
    const { candidates, dropped } = await work.look();
    if (session.only.length) {
      const only = session.only.map((name) => work.chosen(name, dropped));
      return await work.measure(only, { dropped: [] });
    }
    settings.print(`${counted(candidates.length, "change")} can be tried`);
    const found = await work.search(candidates);
    const combined = await work.combine(found);
    const { rows, left, isSure } = work.chooseFinal(found, combined);
    const all = [...left.map(({ change, why }) => work.dropped(change, why)), ...dropped];
    return await work.measure(rows, { combined, dropped: all, isSure });
  } catch (error) {
    if (error instanceof LabError && error.exitCode === ExitCode.interrupted) work.printStanding();
    throw error;
  }
}

class Advising {
  readonly #asking: Asking;
  readonly #rounds: Rounds;
  readonly #known = new Map<string, Candidate>();
  #seen: SeenPage | null = null;
  #standing: Standings | null = null;
  /** Changes that leave out a part of the page, to measure what this part costs. They are not advice, so the search does not rank them. */
  #costs: Candidate[] = [];

  constructor(asking: Asking) {
    this.#asking = asking;
    this.#rounds = new Rounds(asking);
  }

  named = (name: string): Candidate => {
    const found = this.#known.get(name);
    if (!found) throw new Error(`no change has the name ${name}`);
    return found;
  };

  /** @param name a change's name, or the names of several changes, joined with `separator` @throws LabError (usage) that lists the changes */
  chosen(name: string, dropped: readonly DroppedChange[]): Candidate {
    const found = this.#known.get(name);
    if (found) return found;
    const names = name.split(separator);
    const all = names.every((one) => this.#known.has(one)) ? this.#combined(names) : null;
    if (all && isPossible(all)) return all;
    const reason = all?.reason ?? dropped.find((one) => one.name === name)?.reason;
    const known = [...this.#known.keys()].join(", ");
    throw usageError(`--change ${name}: ${reason ?? `this page has no such change; it has ${known}`}`);
  }

  /** Loads the page once over each link, to see which changes it allows. */
  async look(): Promise<{ candidates: Candidate[]; dropped: DroppedChange[] }> {
    const { editable, session } = this.#asking;
    const made = await this.#rounds.make(null, [], { loads: 1, what: "look", purpose: "search" });
    this.#seen = editable && lookAt(editable, made);
    const { candidates, impossible } = candidatesOf(kindsNamed(session.kinds), this.#tried(), this.#linkedStack());
    for (const one of candidates) this.#known.set(one.name, one);
    const dropped = impossible.map((one) => ({ ...one, reason: `cannot be tried: ${one.reason}` }));
    return { candidates, dropped };
  }

  /** The first round also tries each change that leaves out a part of the page, to see whether it breaks the page. */
  search(all: readonly Candidate[]): Promise<SearchResult> {
    const { budget } = this.#rounds;
    const changes = all.filter((one) => !leavesOut(one));
    this.#costs = all.filter(leavesOut);
    const links = sharesOf(this.#asking.plan);
    const parts = { loads: this.#costs.length * links.length, documents: this.#rounds.documentsOf(all) };
    let isFirst = true;
    return search({
      changes: changes.map(({ name }) => name),
      links,
      most: finalists.most,
      loadsLeft: () =>
        isFirst ? budget.loadsLeft(this.#final(), parts.documents) - parts.loads : budget.loadsLeft(this.#final()),
      minutesOf: (loads) => {
        const first = budget.secondsOf({ ...parts, loads: parts.loads + loads });
        return (budget.used.usedSeconds + first + budget.secondsOf(this.#final())) / 60;
      },
      measure: ({ changes, ...blocks }) => {
        const asked = [...changes.map(this.named), ...(isFirst ? this.#costs : [])];
        isFirst = false;
        return this.#rounds.measure(this.#seen, asked, { ...blocks, what: "search" });
      },
      onRound: (standing) => {
        this.#standing = standing;
        this.printStanding(1);
      },
    });
  }

  /** @returns the best combination; null if no other change adds to the saving of the best change */
  async combine({ finalists, nextBlock }: SearchResult): Promise<Candidate | null> {
    if (finalists.length < 2) return null;
    const set = await combine({
      finalists,
      links: sharesOf(this.#asking.plan),
      fits: (names, added) => this.#joined([...names, added]) !== null,
      nameOf: (names) => names.join(separator),
      blocks: stepBlocks,
      firstBlock: nextBlock,
      loadsLeft: () => this.#rounds.budget.loadsLeft(this.#final(), finalists.length - 1),
      measure: ({ changes, ...blocks }) =>
        this.#rounds.measure(this.#seen, changes.map(this.named), { ...blocks, what: "combine" }),
    });
    return set.length > 1 ? this.#joined(set) : null;
  }

  /** Chooses which changes are measured in fresh loads: as many as there is time for, and the best change in any case. */
  chooseFinal(
    found: SearchResult,
    combined: Candidate | null,
  ): Pick<SearchResult, "left" | "isSure"> & { rows: Candidate[] } {
    const { session, plan } = this.#asking;
    const documents = this.#rounds.documentsOf(combined ? [combined] : []);
    const possible = this.#rounds.budget.loadsLeft(null, documents) / (session.loads * plan.users.length);
    const [working, broken] = [true, false].map((works) =>
      this.#costs.map(({ name }) => name).filter((name) => works !== this.#rounds.broken.has(name)),
    );
    const chosen = chooseRows(found.finalists, working!, Math.floor(possible));
    const behind = found.finalists.slice(chosen.finalists.length);
    const left: SearchResult["left"] = [
      ...found.left,
      ...behind.map((change) => ({ change, why: "behind" as const })),
      ...broken!.map((change) => ({ change, why: "never ends" as const })),
    ];
    const isSure = found.isSure && behind.length === 0;
    return { rows: [...chosen.finalists, ...chosen.parts].map(this.named), left, isSure };
  }

  /** Measures the changes in fresh loads: the random numbers of this run differ from those of the search. @returns the run's folder */
  async measure(
    finalists: readonly Candidate[],
    { combined = null, dropped, isSure }: { combined?: Candidate | null; dropped: DroppedChange[]; isSure?: boolean },
  ): Promise<string> {
    const { session, settings } = this.#asking;
    const changes = combined ? [...finalists, combined] : finalists;
    const made = await this.#rounds.make(this.#seen, changes, {
      ...{ loads: session.loads, what: "measure", purpose: "measure" as const, dropped },
      ...(combined && { combined: { name: combined.name, of: combined.changes.map(({ name }) => name) } }),
      ...(isSure !== undefined && { search: { loads: this.#rounds.searchLoads, isSure } }),
    });
    this.#rounds.noteBroken(changes, made);
    for (const { name, title } of changes) {
      const why = this.#rounds.broken.get(name);
      if (why !== undefined) settings.print(`${title}: ${why}`);
    }
    return made.folder;
  }

  dropped(name: string, why: SearchResult["left"][number]["why"]): DroppedChange {
    const { title } = this.named(name);
    return { name, title, reason: this.#rounds.broken.get(name) ?? reasons[why] };
  }

  printStanding(most = 5): void {
    if (!this.#standing) return;
    const { all, unchangedMs } = this.#standing;
    const best = all.filter(({ savingMs }) => savingMs > 0).slice(0, most);
    if (best.length === 0) this.#asking.settings.print("So far no change makes the page faster");
    for (const { change, savingMs, blocks } of best) {
      const percent = ((100 * savingMs) / unchangedMs).toFixed(1);
      const { title } = this.named(change);
      this.#asking.settings.print(`So far: ${title}: ${percent}% faster in ${counted(blocks, "load")} of the search`);
    }
  }

  #joined(names: readonly string[]): Candidate | null {
    const one = this.#known.get(names.join(separator)) ?? this.#combined(names);
    if (!isPossible(one)) return null;
    this.#known.set(one.name, one);
    return one;
  }

  #combined(names: readonly string[]): Candidate | DroppedChange {
    const changes = names.flatMap((name) => this.named(name).changes);
    return together(changes, this.#tried(), this.#linkedStack());
  }

  #tried = (): Tried => ({ ...this.#asking.tried, seen: this.#seen });

  #linkedStack = () => ({ ...this.#asking.stack, link: this.#asking.plan.users[0]!.link });

  /** Returns the work of the last run, for which the search must leave time. */
  #final = (): Work => ({
    loads: this.#asking.session.loads * reservedRows(this.#costs.length) * this.#asking.plan.users.length,
  });
}

const reasons: Record<SearchResult["left"][number]["why"], string> = {
  "never ends": "the changed page did not load completely over one of the links",
  "not worth it": `surely saves less than ${100 * worthShare}%`,
  slower: "surely saves less than the best change",
  near: "saves as much as the best change, or less",
  behind: "other changes seemed to save more, but there was not enough time to be sure",
};
