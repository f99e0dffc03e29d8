/** Divides a plan's loads and links into chunks. */
import type { Chunk, LoadChunk } from "../../schema/lane-messages.ts";
import { linkName } from "../../schema/link.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import { chunkOf } from "../../schema/records.ts";
import type { Measuring, Settings } from "../../schema/settings.ts";
import type { Manifest } from "../record/manifest.ts";
import type { Recorded } from "./recorded-chunks.ts";

export function slicesOf<Item>(items: Item[], size: number): Item[][] {
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, i) => i * size);
  return starts.map((start) => items.slice(start, start + size));
}

/** Gives items to lanes. @param work gets a signal that also aborts if another lane fails @throws a failed lane's error, once all lanes have ended */
export async function inLanes<Item>(
  items: readonly Item[],
  { atOnce, signal }: { atOnce: number; signal: AbortSignal },
  work: (item: Item, slot: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const lanes = Array.from({ length: Math.min(atOnce, items.length) }, async (_, slot) => {
    for (const item of queue) {
      if (either.aborted) return;
      await work(item, slot, either);
    }
  });
  const ends = await Promise.allSettled(
    lanes.map((lane) =>
      lane.catch((error: unknown) => {
        stop.abort();
        throw error;
      }),
    ),
  );
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
}

export const linkOf = ({ link }: Pick<Settings, "link">) => linkName(link);

/** Returns the settings with which each link is measured: those of the first load over the link, because goodput also depends on the server's TCP. */
export function measuringFirst(loads: readonly Pick<PlannedLoad, "condition">[]): Measuring[] {
  const first = new Map<string, Measuring>();
  for (const { page: _, background: __, ...settings } of loads.map(({ condition }) => condition.settings))
    if (!first.has(linkOf(settings))) first.set(linkOf(settings), settings);
  return [...first.values()];
}

/** The settings with which all links are measured before any load. They do not depend on the loads' order, so runs with other seeds use the same. */
export const measuringAlike = (loads: readonly Pick<PlannedLoad, "condition">[]): Measuring[] =>
  measuringFirst(loads.toSorted((a, b) => (a.condition.id < b.condition.id ? -1 : 1)));

export type Shared = Pick<LoadChunk, "registries" | "timeoutMs" | "sharesLosses"> & { seed: number };

export const sharedIn = ({ registries, timeoutSeconds, experiment, seed }: Manifest): Shared => ({
  registries,
  timeoutMs: timeoutSeconds * 1000,
  sharesLosses: experiment.sharesLosses,
  seed,
});

const hasDraws = ({ condition: { settings } }: PlannedLoad) =>
  settings.link.trace !== undefined || settings.background !== undefined;

export const onlyMeasures = (chunk: Chunk): chunk is LoadChunk => chunk.kind === "loads" && chunk.loads.length === 0;

/** A chunk that only measures links gets neither pages nor a loss seed from its run, so other runs can use the chunk's measurements. */
export const loadChunk = (
  { registries, timeoutMs, sharesLosses, seed }: Shared,
  { loads, ...work }: Omit<LoadChunk, "kind" | "offsetSeed" | keyof Shared>,
): LoadChunk => ({
  kind: "loads",
  ...work,
  loads,
  registries: loads.length ? registries : { ...registries, pages: {} },
  timeoutMs,
  ...(loads.length && sharesLosses ? { sharesLosses } : {}),
  ...(loads.some(hasDraws) ? { offsetSeed: seed } : {}),
});

export const nextChunk = ({ lanes, calibrations }: Pick<Recorded, "lanes" | "calibrations">): number =>
  1 + Math.max(-1, ...lanes, ...calibrations.map(chunkOf));
