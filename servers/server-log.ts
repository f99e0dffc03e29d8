/** What a server writes to stderr, kept in a file if it says something about a load. */
import { openSync, readFileSync, truncateSync } from "node:fs";
import type { ServerObservation } from "../schema/observation.ts";
import type { ServerSoftware } from "./software.ts";

/** What a server's log says about QUIC connections. */
type Told = Pick<ServerObservation, "quicCongestion" | "quicInitialBytes">;

export const isLogRead = ({ quicCongestion, quicWindowsIn }: Partial<ServerSoftware>): boolean =>
  quicCongestion !== undefined || quicWindowsIn !== undefined;

export class ServerLog {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = `${folder}/stderr.log`;
  }

  /** @returns a descriptor of the file, for the server. It appends, so that the file can be emptied meanwhile. */
  open(): number {
    return openSync(this.#file, "a");
  }

  /** @returns what was written since the last call */
  take(): string {
    const text = readFileSync(this.#file, "utf8");
    truncateSync(this.#file);
    return text;
  }

  /** @returns what the server has written about connections since the last call, if its log is read */
  told(software: Partial<ServerSoftware> = {}): Told {
    if (!isLogRead(software)) return {};
    const text = this.take();
    return { quicCongestion: software.quicCongestion?.usedIn(text), quicInitialBytes: software.quicWindowsIn?.(text) };
  }
}
