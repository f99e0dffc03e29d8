/** Reads how much the processor is used on the hosts of a lane, and finds programs that have ended there. */
import { isDeepStrictEqual } from "node:util";
import { ask } from "../../hosts/control.ts";
import { everyHost } from "../../hosts/routes.ts";
import { agentsOf, type Topology } from "../../hosts/topology.ts";
import { endedSince, readProcessor } from "../../observe/processor.ts";
import type { ProcessorReading } from "../../schema/observation.ts";

export class Processors {
  /** Hosts whose processes are not visible from this host. */
  readonly #otherHosts: string[];
  /** Servers and processes at the end of the previous load, because a process may end while hosts are configured for the next load. */
  #last: { servers: unknown; readings: ProcessorReading[] } | null = null;

  private constructor(otherHosts: string[]) {
    this.#otherHosts = otherHosts;
  }

  static async open(topology: Topology): Promise<Processors> {
    const { namespace } = readProcessor();
    const readings = await Promise.all(
      agentsOf(topology).map(async (host) => ({ host, reading: await ask(host, everyHost.processor) })),
    );
    return new Processors(readings.filter(({ reading }) => reading.namespace !== namespace).map(({ host }) => host));
  }

  async read(): Promise<ProcessorReading[]> {
    const others = await Promise.all(this.#otherHosts.map((host) => ask(host, everyHost.processor)));
    return [readProcessor(), ...others];
  }

  /**
   * Returns the long-running programs that ended since the previous load's end or, if the servers' processes were replaced, since the load began.
   * @param before readings when the load began @param servers what determines the servers' processes
   */
  async ended(before: ProcessorReading[], servers: unknown): Promise<string[]> {
    const readings = await this.read();
    const last = this.#last;
    this.#last = { servers, readings };
    return endedSince(last && isDeepStrictEqual(last.servers, servers) ? last.readings : before, readings);
  }
}
