/** The queueing discipline of a host's device, where packets wait after TCP has sent them. tc(8) */
import { run } from "./command.ts";

export class Qdisc {
  readonly #device: string;
  readonly #run: (command: string[]) => Promise<string>;
  #wanted: string | undefined;

  constructor(device: string, execute = run as (command: string[]) => Promise<string>) {
    this.#device = device;
    this.#run = execute;
  }

  /** @param wanted in tc's notation ("fq flow_limit 50"); undefined for the device's default (noqueue for veth) @throws Error that names `wanted` */
  async set(wanted: string | undefined): Promise<void> {
    if (wanted === this.#wanted) return;
    const root = ["dev", this.#device, "root"];
    try {
      await this.#run(
        wanted === undefined
          ? ["tc", "qdisc", "del", ...root]
          : ["tc", "qdisc", "replace", ...root, ...wanted.split(" ")],
      );
    } catch (error) {
      throw new Error(`the queueing discipline "${wanted ?? "noqueue"}" cannot be set: ${(error as Error).message}`);
    }
    this.#wanted = wanted;
  }

  /** Reads the discipline and its parameters, except for a random seed: "fq limit 10000p flow_limit 50p ..."; undefined if no discipline was set. */
  async read(): Promise<string | undefined> {
    if (this.#wanted === undefined) return undefined;
    const printed = await this.#run(["tc", "qdisc", "show", "dev", this.#device, "root"]);
    return printed
      .replace(/^qdisc (\S+) \S+ root( refcnt \d+)?/, "$1")
      .replace(/ seed \d+/, "")
      .trim()
      .replaceAll(/\s+/g, " ");
  }
}
