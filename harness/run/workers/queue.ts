/** What a run and its workers exchange: jobs and results of BullMQ, on Valkey or Redis. */
import { gunzipSync, gzipSync } from "node:zlib";
import type { ConnectionOptions } from "bullmq";
import { Redis } from "ioredis";
import { z } from "zod";
import { ExitCode, LabError, usageError } from "../../../schema/errors.ts";
import { chunkSchema, type LaneMessage, laneMessageSchema } from "../../../schema/lane-messages.ts";
import type { GuestVersions } from "../../../substrate/guest.ts";

/** Names of pages become paths. */
const fileName = /^[a-z0-9][\w.-]*$/i;
const inTheirFolder = ({ registries }: { registries: { pages: object } }) =>
  Object.keys(registries.pages).every((name) => fileName.test(name));

/** A worker checks a job before it uses it, and a run checks a result. */
export const jobSchema = z.strictObject({
  chunk: chunkSchema.refine(inTheirFolder, "a page's name would leave the folder of pages"),
  seed: z.int().nonnegative(),
  processingMs: z.number().nonnegative(),
  /** The worker that made the chunk before, of an audit. */
  notBy: z.string().optional(),
});
export type Job = z.infer<typeof jobSchema>;

export const resultSchema = z.strictObject({
  worker: z.string(),
  /** The lane's messages, JSON lines, gzip, base64. */
  messages: z.base64(),
  /** Why the lane ended early, if it did. */
  broke: z.string().optional(),
});
export type Result = z.infer<typeof resultSchema>;

export const packMessages = (messages: readonly LaneMessage[]): string =>
  gzipSync(messages.map((message) => JSON.stringify(message)).join("\n")).toString("base64");

export const unpackMessages = (packed: string): LaneMessage[] =>
  gunzipSync(Buffer.from(packed, "base64"))
    .toString()
    .split("\n")
    .flatMap((line) => (line ? [laneMessageSchema.parse(JSON.parse(line))] : []));

/** Runs and workers of other versions have other queues, so that no chunk is made by another kernel, root or lab. */
export const queueName = (versions: GuestVersions): string => `pageload-lab-${Object.values(versions).join("-")}`;

/** How one set of versions differs from another, in words. */
export const versionDifferences = (here: GuestVersions, there: GuestVersions): string[] =>
  (Object.keys(here) as (keyof GuestVersions)[]).flatMap((name) =>
    here[name] === there[name] ? [] : [`${name} is ${here[name]} here and ${there[name]} there`],
  );

/** BullMQ's own types know another release of ioredis. */
export const asConnection = (redis: Redis) => redis as unknown as ConnectionOptions;

const advices: readonly (readonly [RegExp, string])[] = [
  [/WRONGPASS|NOAUTH/, "The address has the password: redis://:PASSWORD@HOST:PORT"],
  [/certificate/, "The environment's NODE_EXTRA_CA_CERTS names a file with the certificate that signed the server's"],
  [/ENOTFOUND|EAI_AGAIN/, "Is the host's name right?"],
  [/ECONNREFUSED/, "Is Valkey or Redis running there, and does it listen on an address of that network?"],
  [
    /ECONNRESET|ETIMEDOUT|closed/,
    "With TLS an address starts with rediss://, without with redis://; is a firewall between?",
  ],
];

/**
 * @param address redis://[:password@]host[:port], or rediss:// for TLS
 * @param print for outages, after which it connects again by itself
 * @throws LabError for an address that is none, and a server that does not answer, refuses the password, or cannot keep a queue
 */
export async function connectQueue(address: string, print: (text: string) => void): Promise<Redis> {
  if (!URL.canParse(address) || !/^rediss?:$/.test(new URL(address).protocol))
    throw usageError(`"${address}" is no address of a queue; redis://HOST:PORT and rediss://:PASSWORD@HOST:PORT are`);
  const shown = `${new URL(address).protocol}//${new URL(address).host}`;
  let connected = false;
  const redis = new Redis(address, {
    lazyConnect: true,
    maxRetriesPerRequest: null, // BullMQ waits for a server that restarts
    retryStrategy: (attempts) => (connected ? Math.min(attempts * 200, 5000) : null),
  });
  let reason = "";
  redis.on("error", (error: Error) => {
    if (connected && reason !== error.message) print(`the queue ${shown} does not answer: ${error.message}; waiting`);
    reason = error.message;
  });
  redis.on("ready", () => {
    if (connected && reason) print(`the queue ${shown} answers again`);
    reason = "";
  });
  try {
    await redis.connect();
    refuseServer(shown, await redis.info());
  } catch (error) {
    redis.disconnect();
    if (error instanceof LabError) throw error;
    const why = reason || (error as Error).message;
    const [, advice] = advices.find(([pattern]) => pattern.test(why)) ?? [];
    throw new LabError(
      ExitCode.machineCannot,
      [`cannot use the queue ${shown}: ${why}`, advice].filter(Boolean).join("\n"),
    );
  }
  connected = true;
  return redis;
}

/** The oldest version that has all commands of BullMQ. Valkey says which version of Redis it is like. */
const oldestVersion = "6.2";

/** @param info what the server's INFO prints @throws LabError for one that is too old, or drops jobs when its memory is full */
export function refuseServer(shown: string, info: string): void {
  const field = (name: string) => new RegExp(`^${name}:(\\S*)`, "m").exec(info)?.[1] ?? "unknown";
  const [version, policy] = [field("redis_version"), field("maxmemory_policy")];
  const refuse = (why: string) => {
    throw new LabError(ExitCode.machineCannot, `cannot use the queue ${shown}: ${why}`);
  };
  if (version.localeCompare(oldestVersion, undefined, { numeric: true }) < 0)
    refuse(`it is of version ${version}; take Valkey, or Redis ${oldestVersion} or later`);
  if (policy !== "noeviction")
    refuse(
      `when its memory is full it would drop chunks (maxmemory-policy ${policy}); set maxmemory-policy noeviction`,
    );
}
