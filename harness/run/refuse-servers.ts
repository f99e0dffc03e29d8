import { findProgram, run } from "../../hosts/command.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Tls } from "../../schema/tls.ts";
import { servers } from "../../servers/servers.ts";
import type { ServerSoftware } from "../../servers/software.ts";

/** The first OpenSSL with ML-KEM. */
const mlKemSince = [3, 5] as const;

/**
 * Where hosts have this machine's programs, which not every Debian has.
 * @throws LabError that names the server and what it lacks here
 */
export async function refuseServers(
  conditions: readonly Condition[],
  softwareOf: Readonly<Record<string, ServerSoftware>> = servers,
): Promise<void> {
  const asked = new Map(
    conditions.map(({ settings: { server } }) => [
      `${server.software} ${server.tls.keyExchange} ${server.caching} ${server.thinkTimeMs}`,
      server,
    ]),
  );
  const thinkers = Object.keys(softwareOf).filter((name) => softwareOf[name]!.thinks);
  for (const { software: name, tls, caching, thinkTimeMs } of asked.values()) {
    const software = softwareOf[name]!;
    const problem =
      otherKeys(software, tls) ??
      missing(name, software) ??
      (caching && software.cannotSayCaching ? "it cannot say what a client may keep, as a repeat view takes" : null) ??
      (thinkTimeMs && !software.thinks ? `it answers at once; ${thinkers.join(", ")} can think` : null) ??
      (await noMlKem(software, tls));
    if (problem) throw new LabError(ExitCode.machineCannot, `server ${name}: ${problem}`);
  }
}

/** A program that the lab makes itself is there by now (servers/made.ts). */
function missing(name: string, { make, versionCommand: [program = ""] }: ServerSoftware): string | null {
  if (make) return null;
  try {
    findProgram(program);
    return null;
  } catch {
    return `there is no ${program} here; its Debian packages stand in servers/${name}/packages.txt (hosts/packages.sh list servers/${name} | hosts/packages.sh install)`;
  }
}

const otherKeys = ({ keyExchanges }: ServerSoftware, { keyExchange }: Tls): string | null =>
  !keyExchanges || keyExchanges.includes(keyExchange)
    ? null
    : `it cannot be told to make the key exchange ${keyExchange}; ${keyExchanges.join(", ")} is allowed`;

async function noMlKem({ opensslCommand }: ServerSoftware, { keyExchange }: Tls): Promise<string | null> {
  if (!opensslCommand || keyExchange !== "x25519mlkem768") return null;
  const version = (await run(opensslCommand)).trim();
  const [major = 0, minor = 0] = (/\d+\.\d+/.exec(version)?.[0] ?? "").split(".").map(Number);
  const [sinceMajor, sinceMinor] = mlKemSince;
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor)
    ? null
    : `keyExchange x25519mlkem768 takes OpenSSL ${mlKemSince.join(".")} or later (Debian 13); it runs with ${version}`;
}
