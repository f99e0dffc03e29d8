import type { Beginnings } from "../observe/packet-trace.ts";
import type { ClientEvidence } from "../schema/evidence.ts";
import type { Registries, Replays, WebHost } from "../schema/registries.ts";

/** What a client needs to know of the lab. */
export interface ClientOptions {
  hosts: readonly WebHost[];
  /** Those that loads ask for, by name; each has a port of its own on every host. */
  protocols: Registries["protocols"];
  /** The certificates of the lab's CAs, PEM: no other's are trusted. */
  authorities: readonly string[];
  /** For all it writes: a folder of its own from now on, gone when this process ends. */
  scratch: string;
  /**
   * For a load that is no sample: a folder in which it leaves all that it knows when it is closed: `keyLog` the keys of its
   * connections, if they are encrypted, and beside it logs of its own, and frames of what its page showed (`frameName`).
   */
  logs?: string;
}

/** As SSLKEYLOGFILE has it (RFC 9850). */
export const keyLog = "keys.log";

/** What a page showed, so many milliseconds after navigation start: a JPEG. */
export const frameName = (ms: number) => `frame-${ms.toFixed(1).padStart(8, "0")}ms.jpg`;

/** What a client is asked to load, and as whom. */
export interface Visit {
  url: string;
  timeoutMs: number;
  /** How many times slower the page is to compute; as fast as the machine, where absent. */
  cpuSlowdown?: number | undefined;
  /** The client visits the page once before: what of it is left, beside TLS sessions that the servers gave tickets for. */
  earlier?: { keepsCache: boolean } | undefined;
}

/** A load, or what there was of it. */
export interface Loaded {
  /** Why it is none, or null. */
  problem: string | null;
  evidence: ClientEvidence;
  /** Milliseconds since the epoch; null for a load that has not begun, and of a client that cannot tell. */
  beginnings: Beginnings | null;
  /** What only the loaded page can show, and what takes time of the processor: to be called when all else is known. */
  afterwards?(): Promise<Partial<ClientEvidence>>;
}

/** What a load is made of beside the client's part. */
export interface LoadSteps<T> {
  /**
   * Called at once, while the client makes itself ready; the page is not asked for before it is done. Called again after an
   * earlier visit.
   */
  prepare?(): Promise<void>;
  /** Called after an earlier visit: ends the connections that it left. */
  part?(): Promise<void>;
  /** Called just before the page is asked for. */
  begin?(): Promise<void>;
  /** Called when the page has loaded, or has failed to, while its connections are still open. */
  look(loaded: Loaded): Promise<T>;
}

/** A client that runs. */
export interface OpenClient {
  version: string;
  /** Whether what it loads is in a sandbox of its own. */
  sandbox: boolean;
  /**
   * Load a page cold: nothing of an earlier load is left, no connection, cache, TLS session; of an earlier visit, what is asked.
   * @returns what `look` does
   * @throws ClientHangs when no further load can be made; what a step throws
   */
  load<T>(visit: Visit, steps: LoadSteps<T>): Promise<T>;
  /** Called when it ends by itself. */
  onEnd(listener: () => void): void;
  close(): Promise<void>;
}

/** Something that loads pages. To add one: a folder beside this file with a `client.ts` that exports `client`. */
export interface Client {
  title: string;
  /** What its requests' `user-agent` header holds, and no other client's does. */
  userAgent: string;
  /** What such a header of another client's has beside that: there, this one's has it not. */
  userAgentLacks?: string;
  /** Without it there is no such client here; absent where the lab is never without. */
  program?: string;
  /** The names of the protocols (servers/protocols.yml) that it speaks. */
  protocols: string[];
  /** How it asks hosts, where it is no browser: its loads are compared with its own kind's alone. */
  replays?: Replays;
  /**
   * What drives it, where it is a browser without DevTools: it does not tell which connection an answer came over, nor from
   * which address, nor what its TLS agreed to, nor what asked for it, so that packets alone do; and it has no CPU throttling
   * and no earlier visit.
   */
  drivenBy?: string;
  open(options: ClientOptions): Promise<OpenClient>;
}

/** It does not answer any more. */
export class ClientHangs extends Error {}
