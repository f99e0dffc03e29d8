/** Lists workers and runs. Each worker and each run writes a note about itself into the queue's database. A note expires unless it is renewed. */
import type { Redis } from "ioredis";
import { z } from "zod";
import { ExitCode, LabError } from "../../../schema/errors.ts";
import type { GuestVersions } from "../../../substrate/guest/guest.ts";
import { versionDifferences } from "./queue.ts";

const prefix = "pageload-lab";
const renewedSeconds = 10;
export const keptSeconds = 3 * renewedSeconds;

export const keyOf = (kind: string, name: string): string => `${prefix}:${kind}:${name}`;

const versions = z.strictObject({ guestRoot: z.string(), kernelImage: z.string(), labFiles: z.string() });
const noteSchema = z.strictObject({
  name: z.string(),
  since: z.iso.datetime(),
  versions,
  /** For a worker: how many loads it makes at once, and how many it has made. */
  lanes: z.int(),
  loads: z.int(),
});
export type Note = z.infer<typeof noteSchema>;
type Kind = "worker" | "run";

/** Writes a note, and keeps renewing it. @returns a function that removes the note */
export async function leaveNote(redis: Redis, kind: Kind, note: () => Note): Promise<() => void> {
  const [key, text] = [keyOf(kind, note().name), () => JSON.stringify(note())];
  await redis.set(key, text(), "EX", keptSeconds);
  return renew(redis, key, text);
}

/** Keeps renewing an entry. @returns a function that removes it */
export function renew(redis: Redis, key: string, text: () => string): () => void {
  const write = () => redis.set(key, text(), "EX", keptSeconds);
  const renewing = setInterval(() => void write().catch(() => {}), renewedSeconds * 1000).unref();
  return () => {
    clearInterval(renewing);
    void redis.del(key).catch(() => {});
  };
}

export async function readNotes(redis: Redis, kind: Kind): Promise<Note[]> {
  const keys: string[] = [];
  for (let cursor = "0"; ; ) {
    const [next, found] = await redis.scan(cursor, "MATCH", keyOf(kind, "*"), "COUNT", 1000);
    keys.push(...found);
    cursor = next;
    if (cursor === "0") break;
  }
  const texts = keys.length ? await redis.mget(keys.sort()) : [];
  return texts.flatMap((text) => (text === null ? [] : noteOf(text)));
}

/** @returns an empty list for a text that is not a note, because anyone with the password can write any text into the database */
export function noteOf(text: string): Note[] {
  try {
    return [noteSchema.parse(JSON.parse(text))];
  } catch {
    return [];
  }
}

/** @throws LabError if runs wait in the queue, but none has the worker's versions */
export function refuseOtherVersions(runs: readonly Note[], versions: GuestVersions): void {
  const differences = runs.map((run) => ({ run: run.name, differ: versionDifferences(versions, run.versions) }));
  if (differences.length === 0 || differences.some(({ differ }) => differ.length === 0)) return;
  const lines = differences.map(({ run, differ }) => `  ${run}: ${differ.join(", ")}`);
  throw new LabError(
    ExitCode.otherVersions,
    `this worker's loads could not be compared with the run's:\n${lines.join("\n")}\nCheck out the run's commit here, or use --root with the run's root image, a file from ./lab root save`,
  );
}
