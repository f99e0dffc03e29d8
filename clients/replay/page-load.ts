/** One load: the HTML, and what its markup names in the order in which it names it, each as soon as it has come so far. */
import type { WebHost } from "../../schema/registries.ts";
import { type Connection, type Exchange, HostConnections, type Manner } from "./connections.ts";
import { namedIn } from "./markup.ts";

export class PageLoad {
  readonly exchanges: Exchange[] = [];
  /** Done when all that was asked for has come, or will not. */
  readonly whole: Promise<void>;
  readonly #hosts = new Map<string, HostConnections>();
  readonly #addresses: ReadonlyMap<string, string>;
  readonly #manner: Manner;
  readonly #userAgent: string;
  #settle: () => void = () => {};
  #pending = 0;

  constructor(url: string, hosts: readonly WebHost[], manner: Manner, userAgent: string) {
    this.#addresses = new Map(hosts.map(({ name, address }) => [name, address]));
    this.#manner = manner;
    this.#userAgent = userAgent;
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
        if (asked.has(found.href)) continue;
        asked.add(found.href);
        this.#ask(found, {});
      }
    };
    this.#ask(url, { data: (chunk) => read(decoder.decode(chunk, { stream: true })) });
  }

  #ask(url: URL, { data }: { data?: (chunk: Buffer) => void }): void {
    this.#pending++;
    const exchange: Exchange = {
      url,
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
    const host = this.#hostOf(url);
    if (host) host.ask(exchange, { ...(data && { data }), end });
    else {
      exchange.failure = "not a host of the lab";
      queueMicrotask(end);
    }
  }

  #hostOf(url: URL): HostConnections | undefined {
    const address = this.#addresses.get(url.hostname);
    if (!address) return undefined;
    const known = this.#hosts.get(url.origin);
    const host = known ?? new HostConnections(url, address, this.#manner, this.#userAgent);
    this.#hosts.set(url.origin, host);
    return host;
  }
}
