/** A client that loads another page beside the measured one, again and again, each time over new connections. */

import { PageLoad, type PageLoadOptions } from "../../clients/replay/page-load.ts";
import { type Background, backgroundPorts } from "../../schema/background.ts";
import type { Protocol } from "../../schema/protocol.ts";
import type { Replays, WebHost } from "../../schema/registries.ts";

export class BackgroundPage {
  /** When its first visit had ended, milliseconds since the epoch. */
  firstLoadedMs: number | null = null;
  /** Why it does not go on. */
  failure: Error | null = null;
  readonly #url: string;
  readonly #options: PageLoadOptions;
  #load: PageLoad | null = null;
  #isStopped = false;

  /** @param down how many connections it has at a time */
  constructor(server: WebHost, { down }: Pick<Background, "down">) {
    const port = backgroundPorts.page;
    const replays: Replays = { connections: down, pipelines: false };
    const page: Protocol = { scheme: "https", transport: "tcp", alpn: "http/1.1", connections: down, port };
    this.#url = `https://${server.name}:${port}/`;
    this.#options = { userAgent: "LabBackground", replays, hosts: [server], protocols: { page } };
  }

  /** Visits the page until `stop`. */
  start(): void {
    void this.#visit();
  }

  async #visit(): Promise<void> {
    while (!this.#isStopped && !this.failure) {
      const load = new PageLoad(this.#url, this.#options);
      this.#load = load;
      await load.whole; // does not return if the visit is stopped meanwhile
      load.close();
      if (this.#isStopped) return;
      const broken = load.exchanges.find(({ status, failure }) => failure !== null || status !== 200);
      if (broken) this.failure = new Error(`the page beside the measured one did not load: ${broken.failure}`);
      this.firstLoadedMs ??= Date.now();
    }
  }

  /** Resets its connections. */
  stop(): void {
    this.#isStopped = true;
    this.#load?.close();
  }
}
