import { run } from "../hosts/command.ts";

/** A route for the packets that leave a host from one port, in a routing table of its own. ip-rule(8) */
export class PortRoute {
  readonly #table: string;
  readonly #run: (command: string[]) => Promise<string>;
  #isSet = false;

  constructor(port: number, runs = run) {
    this.#table = String(port);
    this.#run = runs;
  }

  /** @param command that sets the main table's route, to use in this table; null if the port's packets should take the main table's again */
  async set(command: readonly string[] | null): Promise<void> {
    if (command) await this.#run([...command, "table", this.#table]);
    if (this.#isSet !== (command !== null)) await this.#rule(command ? "add" : "del");
    this.#isSet = command !== null;
  }

  async #rule(verb: "add" | "del"): Promise<void> {
    await this.#run(["ip", "rule", verb, "sport", this.#table, "lookup", this.#table]);
  }
}
