/** What a run and its workers exchange: jobs and results of BullMQ, on Valkey or Redis. */
import type { ConnectionOptions } from "bullmq";
import { Redis } from "ioredis";
import { z } from "zod";
import { ExitCode, LabError, usageError } from "../../../schema/errors.ts";
import { shownAddress } from "../../../schema/foreign-words.ts";
import { loadChunkSchema } from "../../../schema/lane-messages.ts";
import type { GuestVersions } from "../../../substrate/guest/guest.ts";

/** A worker checks a job before it uses it: names in it that become paths are names (schema/names.ts). A run checks results (received-result.ts). */
export const jobSchema = z.strictObject({
  chunk: loadChunkSchema,
  seed: z.int().nonnegative(),
  processingMs: z.number().nonnegative(),
  /** The worker that made the chunk before, of an audit. */
  notBy: z.string().optional(),
});
export type Job = z.infer<typeof jobSchema>;

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
  [
    /WRONGPASS|NOAUTH/,
    "The address has the password: redis://:PASSWORD@HOST:PORT, also in the environment's LAB_QUEUE",
  ],
  [/certificate/, "The environment's NODE_EXTRA_CA_CERTS names a file with the certificate that signed the server's"],
  [/ENOTFOUND|EAI_AGAIN/, "Is the host's name right?"],
  [/ECONNREFUSED/, "Is Valkey or Redis running there, and does it listen on an address of that network?"],
  [
    /ECONNRESET|ETIMEDOUT|closed/,
    "With TLS an address starts with rediss://, without with redis://; is a firewall between?",
  ],
];

/** @throws LabError (usage) that shows it without its password */
function parsedAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^rediss?:$/.test(url.protocol) || url.host === "")
    throw usageError(
      `"${shownAddress(address)}" is not an address of a queue; redis://HOST:PORT and rediss://:PASSWORD@HOST:PORT are`,
    );
  if (/@/.test(url.pathname + url.search + url.hash))
    throw usageError(
      `"${shownAddress(address)}": in a password / ? # and @ are written as %2F %3F %23 and %40, since they end it in an address`,
    );
  return url;
}

/**
 * @param address redis://[:password@]host[:port], or rediss:// for TLS
 * @param print for outages, after which it connects again by itself
 * @throws LabError for an address that is none, and a server that does not answer, refuses the password, or cannot keep a queue
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
