/**
 * Finds the best of many changes with few loads. A round measures the unchanged page and all changes that are still in the search, over
 * every link, in new blocks. Then `standings` decides which changes are surely not the best. If load times vary widely, the loads may run out
 * before anything is sure. So the loads are divided into equal parts: after a part without a sure result, the search keeps only the half of the
 * changes with the better means (sequential halving; Z. Karnin, T. Koren, O. Somekh, Almost optimal exploration in multi-armed bandits, ICML 2013).
 */
import { usageError } from "../../schema/errors.ts";
import { type Standing, type Standings, type State, standings } from "./standings.ts";
import type { SharedLink, Times } from "./times.ts";

/** What a round measures in addition to the unchanged page. */
export interface Asked {
  changes: readonly string[];
  /** How many new blocks each change and link gets. */
  blocks: number;
  /** The number of the first block. No two rounds have a block in common. */
  firstBlock: number;
}

export type Measure = (asked: Asked) => Promise<Times>;

/** Why a change is not a finalist. "behind": other changes had better means when the loads ran out, but are not surely better. */
export type Why = Exclude<State, "open"> | "behind";

export interface SearchGiven {
  changes: readonly string[];
  links: readonly SharedLink[];
  /** The largest number of finalists. */
  most: number;
  /** Returns how many loads the search may still make. It is called before each round, because its result depends on how long loads take. */
  loadsLeft(): number;
  /** Returns how many minutes the whole command takes if the first round makes this many loads. Used in an error message. */
  minutesOf?(loads: number): number;
  measure: Measure;
  onRound?(standing: Standings): void;
}

export interface SearchResult {
  /** The finalists, the best first; empty if it is sure that no change saves enough. */
  finalists: string[];
  left: { change: string; why: Why }[];
  /** Whether the best finalist is surely at least as good as every change that was left out. */
  isSure: boolean;
  /** The number of the block after the last one. */
  nextBlock: number;
}

/** Returns how many loads one block of these changes needs, including the unchanged page's loads. */
export const loadsOfBlock = (changes: number, links: number): number => (changes + 1) * links;

interface Progress {
  rounds: Times[];
  blocks: number;
  /** The changes that are still in the search, the best first. */
  open: Standing[];
  left: SearchResult["left"];
}

/** @throws LabError (usage) if there are too few loads for one block of all changes */
export async function search(given: SearchGiven): Promise<SearchResult> {
  const { changes, links, most } = given;
  refuseTooFewLoads(given);
  const open = changes.map((change): Standing => ({ change, blocks: 0, savingMs: Number.NaN, state: "open" }));
  const progress: Progress = { rounds: [], blocks: 0, open, left: [] };
  for (;;) {
    await useOnePart(given, progress);
    if (isDecided(progress, most)) break;
    const hasMore = given.loadsLeft() >= loadsOfBlock(progress.open.length, links.length);
    keep(progress, hasMore ? Math.max(most, Math.ceil(progress.open.length / 2)) : most, () => "behind");
    if (isDecided(progress, most)) break;
  }
  const better = progress.open.filter(({ state }) => state === "open");
  progress.open = [...better, ...progress.open.filter(({ state }) => state !== "open")];
  keep(progress, most, ({ state }) => (state === "open" ? "behind" : state));
  return {
    finalists: progress.open.map(({ change }) => change),
    left: progress.left,
    isSure: progress.left.every(({ why }) => why !== "behind"),
    nextBlock: progress.blocks + 1,
  };
}

function refuseTooFewLoads({ changes, links, loadsLeft, minutesOf }: SearchGiven): void {
  const [needed, possible] = [loadsOfBlock(changes.length, links.length), loadsLeft()];
  if (possible >= needed) return;
  const minutes = minutesOf ? ` (about ${Math.ceil(minutesOf(needed))} min in total)` : "";
  throw usageError(
    `to load ${changes.length} changes and the unchanged page once over each of ${links.length} links takes ${needed} loads, ` +
      `but there is time for only ${Math.max(0, Math.floor(possible))}: allow more time${minutes}, or try fewer links or changes`,
  );
}

/** Makes rounds until the finalists are certain or this part of the loads is used up, but at least one round if the loads suffice. */
async function useOnePart(given: SearchGiven, progress: Progress): Promise<void> {
  const { changes, links, most } = given;
  const halvings = Math.max(1, Math.ceil(Math.log2(progress.open.length / most)));
  const forLater = given.loadsLeft() * (1 - 1 / halvings);
  for (let isFirst = true; isFirst || !isDecided(progress, most); isFirst = false) {
    const [possible, needed] = [given.loadsLeft(), loadsOfBlock(progress.open.length, links.length)];
    const least = isFirst && possible >= needed ? 1 : 0;
    const blocks = Math.min(wantedBlocks(progress.blocks), Math.max(least, Math.floor((possible - forLater) / needed)));
    if (blocks < 1) return;
    const names = progress.open.map(({ change }) => change);
    progress.rounds.push(await given.measure({ changes: names, blocks, firstBlock: progress.blocks + 1 }));
    progress.blocks += blocks;
    const now = standings(progress.rounds, names, links, changes.length);
    given.onRound?.(now);
    leaveOut(progress, now);
  }
}

/** One block shows which changes break the page; four allow sure decisions on up to 200 changes. Each later one adds half as many as exist. */
const wantedBlocks = (made: number): number => (made === 0 ? 1 : made < 4 ? 4 - made : Math.ceil(made / 2));

/** Whether every change that may still be the best can be a finalist. */
const isDecided = ({ open }: Progress, most: number): boolean =>
  open.filter(({ state }) => state === "open").length <= most;

function leaveOut(progress: Progress, { all }: Standings): void {
  const isIn = ({ state }: Standing) => state === "open" || state === "near";
  progress.open = all.filter(isIn);
  for (const { change, state } of all)
    if (state !== "open" && state !== "near") progress.left.push({ change, why: state });
}

function keep(progress: Progress, most: number, whyNot: (one: Standing) => Why): void {
  for (const one of progress.open.slice(most)) progress.left.push({ change: one.change, why: whyNot(one) });
  progress.open = progress.open.slice(0, most);
}
