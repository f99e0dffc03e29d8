/** Defines what a run and its workers exchange (BullMQ jobs and results, on Valkey or Redis), and connects to the queue's server. */
import type { ConnectionOptions } from "bullmq";
import { Redis } from "ioredis";
import { z } from "zod";
import { LabError, machineCannot, usageError } from "../../../schema/errors.ts";
import { shownAddress } from "../../../schema/foreign-words.ts";
import { loadChunkSchema } from "../../../schema/lane-messages.ts";
import { parsedUrl } from "../../../schema/parsed-url.ts";
import type { GuestVersions } from "../../../substrate/guest/guest.ts";

/** A worker checks a job before using it: names that become paths must be valid (schema/names.ts). A run checks results (received-result.ts). */
export const jobSchema = z.strictObject({
  chunk: loadChunkSchema,
  seed: z.int().nonnegative(),
  processingMs: z.number().nonnegative(),
  /** In an audit: the worker that made the chunk first, because another worker must make it now. */
  notBy: z.string().optional(),
});
export type Job = z.infer<typeof jobSchema>;

/** Each set of versions has its own queue, so that no chunk is made with another kernel, root image or lab. */
export const queueName = (versions: GuestVersions): string => `pageload-lab-${Object.values(versions).join("-")}`;

export const versionDifferences = (here: GuestVersions, there: GuestVersions): string[] =>
  (Object.keys(here) as (keyof GuestVersions)[]).flatMap((name) =>
    here[name] === there[name] ? [] : [`${name} is ${here[name]} here and ${there[name]} there`],
  );

/** Casts a connection, because BullMQ's own types are for another release of ioredis. */
export const asConnection = (redis: Redis) => redis as unknown as ConnectionOptions;

const advices: readonly (readonly [RegExp, string])[] = [
  [
    /WRONGPASS|NOAUTH/,
    "Give the password in the address, on the command line or in LAB_QUEUE in the environment: redis://:PASSWORD@HOST:PORT",
  ],
  [
    /certificate/,
    "Set NODE_EXTRA_CA_CERTS in the environment to a file with the certificate of the CA that signed the server's certificate",
  ],
  [/ENOTFOUND|EAI_AGAIN/, "Is the host name right?"],
  [/ECONNREFUSED/, "Is Valkey or Redis running there, and does it listen on this address?"],
  [
    /ECONNRESET|ETIMEDOUT|closed/,
    "With TLS an address starts with rediss://, without TLS with redis://. Or does a firewall block the connection?",
  ],
];

/** @throws LabError (usage) that shows the address without its password */
function parsedAddress(address: string): URL {
  const url = parsedUrl(address);
  if (!url || !/^rediss?:$/.test(url.protocol) || url.host === "")
    throw usageError(
      `"${shownAddress(address)}" is not an address of a queue; use redis://HOST:PORT or rediss://:PASSWORD@HOST:PORT`,
    );
  if (/@/.test(url.pathname + url.search + url.hash))
    throw usageError(
      `"${shownAddress(address)}": in a password / ? # and @ must be written as %2F %3F %23 and %40, because they would end it`,
    );
  return url;
}

/**
 * @param address redis://[:password@]host[:port], or rediss:// for TLS @param print reports outages; the client reconnects by itself
 * @throws LabError for an invalid address, and for a server that does not answer, refuses the password, or cannot keep a queue
 */
export async function connectQueue(address: string, print: (text: string) => void): Promise<Redis> {
  const shown = `${parsedAddress(address).protocol}//${parsedAddress(address).host}`;
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
    throw machineCannot([`cannot use the queue ${shown}: ${why}`, advice].filter(Boolean).join("\n"));
  }
  connected = true;
  return redis;
}

/** The oldest version that has all commands that BullMQ needs. Valkey reports the Redis version that it is compatible with. */
const oldestVersion = "6.2";

/** @param info what the server's INFO prints @throws LabError for a server that is too old, or drops jobs when its memory is full */
export function refuseServer(shown: string, info: string): void {
  const field = (name: string) => new RegExp(`^${name}:(\\S*)`, "m").exec(info)?.[1] ?? "unknown";
  const [version, policy] = [field("redis_version"), field("maxmemory_policy")];
  const refuse = (why: string) => {
    throw machineCannot(`cannot use the queue ${shown}: ${why}`);
  };
  if (version.localeCompare(oldestVersion, undefined, { numeric: true }) < 0)
    refuse(`it has version ${version}; use Valkey, or Redis ${oldestVersion} or later`);
  if (policy !== "noeviction")
    refuse(
      `when its memory is full it would drop chunks (maxmemory-policy ${policy}); set maxmemory-policy noeviction`,
    );
}
