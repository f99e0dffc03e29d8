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

/** The pages of chunks that this worker's checkout lacks. They stay while the worker lives. */
export class ReceivedPages {
  readonly #redis: Redis;
  readonly #signal: AbortSignal;
  readonly #folders = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  constructor(redis: Redis, signal: AbortSignal) {
    this.#redis = redis;
    this.#signal = signal;
  }

  /** One after another, since lanes share the folders. @throws Error for a page that is another one here, or is nowhere */
  receive(pages: Pages): Promise<void> {
    const receiving = this.#last.then(() => this.#receive(pages));
    this.#last = receiving.catch(() => {});
    return receiving;
  }

  async #receive(pages: Pages): Promise<void> {
    const here = readRegistries().pages;
    const lacking = Object.entries(pages).filter(([name, page]) => !isDeepStrictEqual(asInFiles(page), here[name]));
    for (const [name, page] of lacking) {
      if (here[name]) throw new Error(`page ${name} has other content in the run's checkout; rename one of the two`);
      if (!isImported(page)) throw new Error(`no page ${name} is here, and only folders with an index.html travel`);
      const packed = await this.#redis.getBuffer(pageKey(page.sha256));
      if (!packed) throw new Error(`page ${name} is not in the queue any more; --resume of the run sends it again`);
      if (isOfContent(name) && pageNameOf(page) !== name)
        throw new Error(`page ${name} is not what its name says: by its files its name would be ${pageNameOf(page)}`);
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
