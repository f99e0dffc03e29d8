/** Checks whether this machine can make the loads, before anything is started. */
import { type Axis, textOf } from "../../axes/axis.ts";
import { tracesIn } from "../../axes/link-values.ts";
import { axes } from "../../axes/registry.ts";
import { clients } from "../../clients/clients.ts";
import { run } from "../../hosts/command.ts";
import { hasSysctl } from "../../hosts/sysctls.ts";
import { leastFrames, mostFrames } from "../../observe/packet-capture.ts";
import { machineCannot, usageError } from "../../schema/errors.ts";
import type { Condition } from "../../schema/plan.ts";
import { entryOf } from "../../schema/registries.ts";
import { leavesOf } from "../../schema/settings.ts";
import type { Tls } from "../../schema/tls.ts";
import { counted } from "../../schema/words.ts";
import { servers } from "../../servers/servers.ts";
import { type Ability, abilities, type ServerSoftware } from "../../servers/software.ts";
import { spokenHere } from "../../servers/spoken.ts";
import { loadPage, sizeOf } from "../../sites/pages.ts";
import type { Substrate } from "../../substrate/substrate.ts";

import { whyServerCannot } from "./refuse-added.ts";

/** @throws LabError that says what this machine or substrate cannot do for these conditions */
export async function preflight(conditions: readonly Condition[], substrate: Substrate): Promise<void> {
  refusePages(conditions);
  refuseUnsettable(conditions, substrate);
  refuseClients(conditions, substrate);
  await refuseServers(conditions, substrate);
}

/** Refuses pages whose loads surely have more packets than captures have room for: a check needs all packets of a load. @throws LabError (usage) */
export function refusePages(conditions: readonly Condition[], pageOf = (name: string) => sizeOf(loadPage(name))): void {
  for (const name of new Set(conditions.map(({ settings }) => settings.page.name))) {
    const { requests, bytes } = pageOf(name);
    const frames = leastFrames({ requests, bytes });
    if (frames > mostFrames)
      throw usageError(
        `page ${name} is too large to be checked: ${counted(requests, "request")} and ${(bytes / 1e6).toFixed(1)} MB take more than ${frames} packets, but a load's captures have room for about ${mostFrames}; leave out large files`,
      );
  }
}

/** @throws LabError with the axis and the value that this substrate cannot set, and the reason */
export function refuseUnsettable(
  conditions: readonly Condition[],
  { name, cannotSet }: Pick<Substrate, "name" | "cannotSet">,
  among: readonly Axis[] = axes,
): void {
  for (const { values, settings } of conditions)
    for (const axis of among)
      for (const [path, value] of leavesOf(axis.sets(values[axis.name], tracesIn(settings.link)))) {
        if (isSetAlready(path, value)) continue;
        const why = Object.entries(cannotSet).find(([what]) =>
          what.includes("=") ? what === `${path}=${value}` : path.startsWith(what),
        )?.[1];
        if (why)
          throw machineCannot(
            `${axis.name} ${textOf(axis, values[axis.name])} sets ${path}, which ${name} cannot do: ${why}`,
          );
      }
}

/** Whether the path is a kernel parameter that already has this value here, so that the substrate need not set it. */
const isSetAlready = (path: string, value: unknown): boolean => {
  const name = /^(?:client|server)\.sysctls\.(.+)$/.exec(path)?.[1];
  return name !== undefined && hasSysctl(name, String(value));
};

/** @throws LabError that names a client whose program the hosts lack, and the client's packages */
export function refuseClients(
  conditions: readonly Condition[],
  { lacks }: Pick<Substrate, "lacks">,
  programOf = (name: string) => clients[name]?.program,
): void {
  for (const name of new Set(conditions.map(({ settings }) => settings.client.software))) {
    const program = programOf(name);
    const problem = program ? lacks(program, `clients/${name}`) : null;
    if (problem) throw machineCannot(`client ${name}: ${problem}`);
  }
}

/** @throws LabError that names the server, and what is missing here */
export async function refuseServers(
  conditions: readonly Condition[],
  { name: substrate, lacks }: Pick<Substrate, "name" | "lacks">,
  softwareOf: Readonly<Record<string, ServerSoftware>> = servers,
): Promise<void> {
  for (const condition of conditions) refuseInability(condition, softwareOf);
  const used = new Map(conditions.map(({ settings: { server } }) => [JSON.stringify(server), server]));
  for (const { software: name, tls } of used.values()) {
    const protocols = conditions.flatMap(({ settings: { server, page } }) =>
      server.software === name ? [page.protocol] : [],
    );
    const software = entryOf(softwareOf, "servers", name);
    const programs = [
      ...(software.builds?.command.slice(0, 1) ?? []),
      ...(software.make ? [] : software.versionCommand.slice(0, 1)), // if `make` is set, the lab builds the program later
    ];
    const problem =
      whyServerCannot(name, software, { name: substrate, lacks }) ??
      programs.map((program) => lacks(program, `servers/${name}`)).find((problem) => problem !== null) ??
      (substrate === "netns" ? ((await noMlKem(software, tls)) ?? (await notBuilt(software, protocols))) : null);
    if (problem) throw machineCannot(`server ${name}: ${problem}`);
  }
}

/** @throws LabError that names a value that the server does not support, and the servers that do */
export function refuseInability(
  { values, settings }: Condition,
  softwareOf: Readonly<Record<string, ServerSoftware>> = servers,
): void {
  const { software: name } = settings.server;
  for (const axis of axes) {
    const need = axis.needs?.(values[axis.name]);
    if (!need || softwareOf[name]?.can.includes(need)) continue;
    const others = Object.keys(softwareOf).filter((other) => canInstead(softwareOf[other], need, softwareOf[name]));
    throw machineCannot(
      `server ${name} cannot ${abilities[need]}, as ${axis.name} ${textOf(axis, values[axis.name])} requires; use ${others.length ? `${others.join(", ")}, or ` : ""}${axis.name} ${textOf(axis, axis.default!)}`,
    );
  }
}

/** Whether `one` has the ability, and serves the same kind of pages as `other`. */
const canInstead = (one: ServerSoftware | undefined, need: Ability, other: ServerSoftware | undefined): boolean =>
  one?.can.includes(need) === true && one.can.includes("replays") === other?.can.includes("replays");

/** Returns a sentence if this machine's build of a server lacks a protocol. Containers and guests have Debian 13's builds. */
async function notBuilt(software: ServerSoftware, protocols: readonly string[]): Promise<string | null> {
  const spoken = await spokenHere(software);
  const lacking = software.builds && protocols.find((protocol) => !spoken.includes(protocol));
  return lacking === undefined
    ? null
    : `this machine's build does not speak ${lacking} (${software.builds!.command.join(" ")} prints no ${software.builds!.protocols[lacking]}): use --clock virtual or Compose, which have Debian 13's build`;
}

/** The first OpenSSL version with ML-KEM. This machine's OpenSSL may be older; containers and guests have Debian 13's OpenSSL. */
const mlKemSince = [3, 5] as const;

async function noMlKem({ opensslCommand }: ServerSoftware, { keyExchange }: Tls): Promise<string | null> {
  if (!opensslCommand || keyExchange !== "x25519mlkem768") return null;
  const version = (await run(opensslCommand)).trim();
  const [major = 0, minor = 0] = (/\d+\.\d+/.exec(version)?.[0] ?? "").split(".").map(Number);
  const [sinceMajor, sinceMinor] = mlKemSince;
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor)
    ? null
    : `keyExchange x25519mlkem768 needs OpenSSL ${mlKemSince.join(".")} or later (Debian 13); this server runs with ${version}`;
}
