/** A client that loads another page beside the measured page, again and again, each time over new connections. */

import { PageLoad, type PageLoadOptions } from "../../clients/replay/page-load.ts";
import { type Background, backgroundPorts } from "../../schema/background.ts";
import type { Protocol } from "../../schema/protocol.ts";
import type { Replays, WebHost } from "../../schema/registries.ts";

export class BackgroundPage {
  /** The end of the first visit, in milliseconds since the epoch. */
  firstLoadedMs: number | null = null;
  /** Why no further visit is made. */
  failure: Error | null = null;
  readonly #url: string;
  readonly #options: PageLoadOptions;
  #load: PageLoad | null = null;
  #isStopped = false;

  /** @param down the number of parallel connections of a visit */
  constructor(server: WebHost, { down }: Pick<Background, "down">) {
    const port = backgroundPorts.page;
    const replays: Replays = { connections: down, pipelines: false };
    const page: Protocol = { scheme: "https", transport: "tcp", alpn: "http/1.1", connections: down, port };
    this.#url = `https://${server.name}:${port}/`;
    this.#options = { userAgent: "LabBackground", replays, hosts: [server], protocols: { page } };
  }

  start(): void {
    void this.#visit();
  }

  async #visit(): Promise<void> {
    while (!this.#isStopped && !this.failure) {
      const load = new PageLoad(this.#url, this.#options);
      this.#load = load;
      await load.whole; // never resolves if the visit is stopped
      load.close();
      if (this.#isStopped) return;
      const broken = load.exchanges.find(({ status, failure }) => failure !== null || status !== 200);
      const why = broken?.failure ?? `HTTP status ${broken?.status} instead of 200`;
      if (broken) this.failure = new Error(`the page beside the measured one did not load: ${why}`);
      this.firstLoadedMs ??= Date.now();
    }
  }

  /** Makes no further visit, and resets the connections. */
  stop(): void {
    this.#isStopped = true;
    this.#load?.close();
  }
}
