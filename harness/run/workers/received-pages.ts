import { rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Redis } from "ioredis";
import { asInFiles, readRegistries } from "../../../axes/registries.ts";
import { run } from "../../../hosts/command.ts";
import { environment } from "../../../hosts/environment.ts";
import { isImported, type Registries } from "../../../schema/registries.ts";
import { givenPages, pageNameOf } from "../../../sites/given-page.ts";
import { isOfContent } from "../../../sites/kept-pages.ts";
import { nodeCommand } from "../../../substrate/substrate.ts";
import { pageKey, unpackPage } from "./sent-pages.ts";

type Pages = Registries["pages"];

/** Receives pages that chunks load but this worker's checkout lacks, and keeps them until the worker ends. */
export class ReceivedPages {
  readonly #redis: Redis;
  readonly #signal: AbortSignal;
  readonly #folders = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  constructor(redis: Redis, signal: AbortSignal) {
    this.#redis = redis;
    this.#signal = signal;
  }

  /** Receives pages one after another, because lanes share the folders. @throws Error for a page that differs here, or is missing in the queue */
  receive(pages: Pages): Promise<void> {
    const receiving = this.#last.then(() => this.#receive(pages));
    this.#last = receiving.catch(() => {});
    return receiving;
  }

  async #receive(pages: Pages): Promise<void> {
    const here = readRegistries().pages;
    const lacking = Object.entries(pages).filter(([name, page]) => !isDeepStrictEqual(asInFiles(page), here[name]));
    for (const [name, page] of lacking) {
      if (here[name])
        throw new Error(`page ${name} here differs from page ${name} in the run's checkout; rename one of the two`);
      if (!isImported(page))
        throw new Error(`page ${name} is missing here, and only folders with an index.html are sent to workers`);
      const packed = await this.#redis.getBuffer(pageKey(page.sha256));
      if (!packed)
        throw new Error(`page ${name} is no longer in the queue; resume the run with --resume to send it again`);
      if (isOfContent(name) && pageNameOf(page) !== name)
        throw new Error(`page ${name} does not match its name: by its files the name would be ${pageNameOf(page)}`);
      const folder = `${givenPages}/${name}`;
      unpackPage(packed, folder, page.sha256);
      this.#folders.add(folder);
    }
    if (lacking.length > 0) await run(nodeCommand("servers/setup.ts", environment.state), "", this.#signal);
  }

  remove(): void {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}
