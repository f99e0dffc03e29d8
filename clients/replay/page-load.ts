/** One load: the HTML, and what its markup names in the order in which it names it, each as soon as it has come so far. */
import type { Protocol } from "../../schema/protocol.ts";
import type { Replays, WebHost } from "../../schema/registries.ts";
import { type Connection, type Exchange, HostConnections } from "./host-connections.ts";
import { type Named, namedIn } from "./markup.ts";

/** Who asks, and whom. */
export interface Asking {
  userAgent: string;
  replays: Replays;
  /** A file for its connections' keys. */
  keysTo?: string;
  hosts: readonly WebHost[];
  protocols: Readonly<Record<string, Protocol>>;
}

export class PageLoad {
  readonly exchanges: Exchange[] = [];
  /** Done when all that was asked for has come, or will not. */
  readonly whole: Promise<void>;
  readonly #hosts = new Map<string, HostConnections>();
  readonly #asking: Asking;
  #settle: () => void = () => {};
  #pending = 0;

  constructor(url: string, asking: Asking) {
    this.#asking = asking;
    this.whole = new Promise((done) => {
      this.#settle = done;
    });
    this.#askForPage(new URL(url));
  }

  get startedMs(): number {
    return this.exchanges[0]!.startedMs;
  }

  get connections(): Connection[] {
    return [...this.#hosts.values()].flatMap(({ all }) => all);
  }

  close(): void {
    for (const connection of this.connections) connection.close();
  }

  #askForPage(url: URL): void {
    const decoder = new TextDecoder();
    const asked = new Set([url.href]);
    let text = "";
    const read = (more: string) => {
      text += more;
      if (!more.includes(">")) return; // no tag has ended; to parse megabytes again for each segment takes minutes
      for (const found of namedIn(text, url)) {
        if (asked.has(found.url.href)) continue;
        asked.add(found.url.href);
        this.#ask(found, {});
      }
    };
    this.#ask({ url, kind: "document" }, { data: (chunk) => read(decoder.decode(chunk, { stream: true })) });
  }

  #ask(named: Named, { data }: { data?: (chunk: Buffer) => void }): void {
    this.#pending++;
    const exchange: Exchange = {
      ...named,
      startedMs: performance.now(),
      connection: null,
      status: null,
      bytes: 0,
      server: null,
      answeredMs: null,
      endedMs: null,
      failure: null,
    };
    this.exchanges.push(exchange);
    const end = () => {
      if (--this.#pending === 0) this.#settle();
    };
    const host = this.#hostOf(named.url);
    if (host) host.ask(exchange, { ...(data && { data }), end });
    else {
      exchange.failure = "not a host of the lab";
      queueMicrotask(end);
    }
  }

  /** By its name and port: each protocol has a port of its own. */
  #hostOf(url: URL): HostConnections | undefined {
    const known = this.#hosts.get(url.origin);
    if (known) return known;
    const { hosts, protocols, ...manner } = this.#asking;
    const address = hosts.find(({ name }) => name === url.hostname)?.address;
    const protocol = Object.values(protocols).find(({ port }) => String(port) === url.port);
    if (!address || !protocol) return undefined;
    const host = new HostConnections(url, address, { ...manner, protocol });
    this.#hosts.set(url.origin, host);
    return host;
  }
}
