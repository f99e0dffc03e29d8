import { run } from "../hosts/command.ts";

/** Sets a route for the packets that leave a host from one port. The route is in a separate routing table. ip-rule(8) */
export class PortRoute {
  readonly #table: string;
  readonly #run: (command: string[]) => Promise<string>;
  #isSet = false;

  constructor(port: number, runs = run) {
    this.#table = String(port);
    this.#run = runs;
  }

  /** @param command a command that sets a route in the main table; null to remove the port's route, so that the main table applies again */
  async set(command: readonly string[] | null): Promise<void> {
    if (command) await this.#run([...command, "table", this.#table]);
    if (this.#isSet !== (command !== null)) await this.#rule(command ? "add" : "del");
    this.#isSet = command !== null;
  }

  async #rule(verb: "add" | "del"): Promise<void> {
    await this.#run(["ip", "rule", verb, "sport", this.#table, "lookup", this.#table]);
  }
}
