/**
 * Loads a page: requests the HTML, and each resource once the tag that names it has arrived. With `idleMs`, every second resource is requested
 * only `idleMs` after all other responses have ended. With `in-turn`, a resource is requested only after all earlier responses have ended.
 */
import type { Protocol } from "../../schema/protocol.ts";
import type { WebHost } from "../../schema/registries.ts";
import type { Visit } from "../client.ts";
import { type Connection, type Exchange, HostConnections, type RequestOptions } from "./host-connections.ts";
import { type Named, namedIn } from "./markup.ts";

export interface PageLoadOptions extends Omit<RequestOptions, "protocol"> {
  idleMs?: Visit["idleMs"];
  hosts: readonly WebHost[];
  protocols: Readonly<Record<string, Protocol>>;
}

export class PageLoad {
  readonly exchanges: Exchange[] = [];
  /** Resolves when every request has its response or has failed. */
  readonly whole: Promise<void>;
  readonly #hosts = new Map<string, HostConnections>();
  readonly #options: PageLoadOptions;
  #settle: () => void = () => {};
  #pending = 0;
  #found = 0;
  #inTurn: Named[] = [];
  #afterIdle: Named[] = [];
  #idle: NodeJS.Timeout | null = null;

  constructor(url: string, options: PageLoadOptions) {
    this.#options = options;
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
    if (this.#idle) clearTimeout(this.#idle);
    for (const connection of this.connections) connection.close();
  }

  #askForPage(url: URL): void {
    const decoder = new TextDecoder();
    const asked = new Set([url.href]);
    let text = "";
    const read = (more: string) => {
      text += more;
      if (!more.includes(">")) return; // no new tag is complete; parsing the whole text for each segment could take minutes
      for (const found of namedIn(text, url)) {
        if (asked.has(found.url.href)) continue;
        asked.add(found.url.href);
        if (this.#options.connections === "in-turn") this.#inTurn.push(found);
        else if (this.#options.idleMs && this.#found++ % 2 === 1) this.#afterIdle.push(found);
        else this.#ask(found, {});
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
      if (--this.#pending > 0) return;
      const next = this.#inTurn.shift();
      if (next) this.#ask(next, {});
      else if (this.#afterIdle.length === 0) this.#settle();
      else this.#idle = setTimeout(() => this.#askForRest(), this.#options.idleMs);
    };
    const host = this.#hostOf(named.url);
    if (host) host.ask(exchange, { ...(data && { data }), end });
    else {
      exchange.failure = "not a host of the lab";
      queueMicrotask(end);
    }
  }

  #askForRest(): void {
    const rest = this.#afterIdle;
    this.#afterIdle = [];
    for (const named of rest) this.#ask(named, {});
  }

  /** The port shows the protocol, because each protocol has its own port. @returns undefined for a host outside the lab */
  #hostOf(url: URL): HostConnections | undefined {
    const known = this.#hosts.get(url.origin);
    if (known) return known;
    const { hosts, protocols, idleMs: _, ...options } = this.#options;
    const address = hosts.find(({ name }) => name === url.hostname)?.address;
    const protocol = Object.values(protocols).find(({ port }) => String(port) === url.port);
    if (!address || !protocol) return undefined;
    const host = new HostConnections(url, address, { ...options, protocol });
    this.#hosts.set(url.origin, host);
    return host;
  }
}
