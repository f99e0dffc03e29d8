import { mkdtemp } from "node:fs/promises";
import type { ClientOptions, Http3, OpenClient } from "../../clients/client.ts";
import { clients } from "../../clients/clients.ts";
import { stateDirectory } from "../../hosts/control.ts";
import { environment } from "../../hosts/environment.ts";
import { rttsOf } from "../../schema/host-rtts.ts";
import type { Condition } from "../../schema/plan.ts";
import { namesOf, recordedOf } from "../../schema/recorded-names.ts";
import { entryOf, type Registries } from "../../schema/registries.ts";
import type { Settings } from "../../schema/settings.ts";
import { readAuthorities } from "../../servers/certificates.ts";
import { hostsOf, isOverQuic } from "./visit.ts";

export const makeScratch = () => mkdtemp(`${environment.temporary}/lane-`);

type Kind = Pick<Settings, "client" | "page" | "server">;

/** A process that forces HTTP/3 only at HTTP/3's port also makes loads over TCP. @returns undefined if the process must not use HTTP/3 */
export function http3Of(
  { client: { software, discovery }, page }: Pick<Kind, "client" | "page">,
  registries: Pick<Registries, "protocols">,
  { forcesWholeHosts } = entryOf(clients, "clients", software),
): Http3 | undefined {
  if (discovery) return "announced";
  return isOverQuic({ page }, registries) || !forcesWholeHosts ? "forced" : undefined;
}

/** Returns the host names of the load's page, if the page was recorded. A browser gets them as options when it starts. */
function recordedIn({ page, server }: Kind, registries: Registries): ClientOptions["recorded"] {
  const recorded = recordedOf(page.name, registries);
  if (!recorded) return undefined;
  const protocol = entryOf(registries.protocols, "protocols", page.protocol);
  const hosts = hostsOf({ page }, registries);
  return { names: namesOf({ recorded }, hosts, protocol, rttsOf(server)), protocol };
}

/** The clients of a lane. Loads share a process if they have the same software, find HTTP/3 in the same way, and have the same recorded names. */
export class OpenClients {
  readonly #registries: Registries;
  readonly #opened = new Map<string, { software: string; client: OpenClient }>();

  constructor(registries: Registries) {
    this.#registries = registries;
  }

  /** Opens the clients that these conditions need. @param own folders for a single client whose logs are kept; by default, new ones are made */
  async open(conditions: readonly Condition[], own?: { scratch: string; logs: string }): Promise<void> {
    const { hosts, protocols } = this.#registries;
    for (const { settings } of conditions) {
      const { software } = settings.client;
      const key = this.#keyOf(settings);
      if (this.#opened.has(key)) continue;
      const http3 = http3Of(settings, this.#registries);
      const authorities = readAuthorities(stateDirectory);
      const folders = own ?? { scratch: await makeScratch() };
      const recorded = recordedIn(settings, this.#registries);
      const options = {
        hosts,
        protocols,
        authorities,
        ...folders,
        ...(http3 && { http3 }),
        ...(recorded && { recorded }),
      };
      const client = await entryOf(clients, "clients", software).open(options);
      client.onEnd(() => process.exit(1));
      this.#opened.set(key, { software, client });
    }
  }

  for(settings: Kind): OpenClient {
    return this.#opened.get(this.#keyOf(settings))!.client;
  }

  /** Returns each software's name with one of its processes. Any process will do, because all have the same version. */
  bySoftware(): [string, OpenClient][] {
    return [...new Map([...this.#opened.values()].map(({ software, client }) => [software, client] as const))];
  }

  async close(): Promise<void> {
    for (const { client } of this.#opened.values()) await client.close();
  }

  #keyOf(settings: Kind): string {
    const { client, page, server } = settings;
    const isRecorded = recordedIn(settings, this.#registries) !== undefined;
    const names = isRecorded ? ` ${page.name} ${page.hosts} ${page.protocol} ${rttsOf(server)}` : "";
    return `${client.software} ${http3Of(settings, this.#registries) ?? "without HTTP/3"}${names}`;
  }
}
