import type { Beginnings } from "../observe/packet-trace.ts";
import type { ClientEvidence } from "../schema/evidence.ts";
import type { Failure } from "../schema/failure.ts";
import type { Registries, Replays, WebHost } from "../schema/registries.ts";
import type { Settings } from "../schema/settings.ts";

/** What a client needs to know about the lab. */
export interface ClientOptions {
  hosts: readonly WebHost[];
  /** The protocols that loads use, by name; each has its own port on every host. */
  protocols: Registries["protocols"];
  /** The certificates of the lab's CAs, PEM: the only ones to trust. */
  authorities: readonly string[];
  /** A folder for all files that it writes, deleted when this process ends. */
  scratch: string;
  /**
   * For a load that is not a sample: a folder for logs, complete when the client is closed. `keyLog` has the keys of encrypted connections;
   * clients may add logs of their own, and screenshots of the page (`frameName`).
   */
  logs?: string;
}

/** In the format of SSLKEYLOGFILE (RFC 9850). */
export const keyLog = "keys.log";

/** The name of a screenshot, a JPEG, by its time after navigation start. */
export const frameName = (ms: number) => `frame-${ms.toFixed(1).padStart(8, "0")}ms.jpg`;

/** What a client is to load. */
export interface Visit {
  url: string;
  timeoutMs: number;
  /** The factor by which the page's computation is slowed down; absent without a slowdown. */
  cpuSlowdown?: number | undefined;
  /** How many connections it is to open to a host over HTTP/1.1; absent for its own number. Only clients without a browser. */
  connections?: Settings["client"]["connections"];
  /** How long its connections are idle before it requests every second object; absent if they are not idle. Only clients without a browser. */
  idleMs?: Settings["client"]["idleMs"];
  /** Requests and paints are recorded after the load event too, until the network is quiet. Only browsers with DevTools. */
  untilQuiet?: boolean;
  /** Present when the client is to visit the page once before; TLS sessions with tickets remain, and the cache if `keepsCache`. */
  earlier?: { keepsCache: boolean } | undefined;
}

/** A load, successful or not. */
export interface Loaded {
  /** Why the load failed, or null. */
  failure: Failure | null;
  evidence: ClientEvidence;
  /** null for a load that has not begun, or a client that does not report it. */
  beginnings: Beginnings | null;
  /** Reads what only the loaded page shows, which takes processor time: to be called when all other observations are done. */
  afterwards?(): Promise<Partial<ClientEvidence>>;
}

export const timedOut = (timeoutMs: number): Failure => ({
  cause: "time-out",
  reason: `timeout: not loaded after ${timeoutMs / 1000} s`,
});

/** What the lane does during a load. */
export interface LoadSteps<T> {
  /** Called at once, while the client gets ready, and again after an earlier visit. The page is not requested before it is done. */
  prepare?(): Promise<void>;
  /** Called after an earlier visit: closes its connections. */
  part?(): Promise<void>;
  /** Called just before the page is requested. */
  begin?(): Promise<void>;
  /** Called when the page has loaded or failed, while its connections are still open. */
  look(loaded: Loaded): Promise<T>;
}

/** A running client. */
export interface OpenClient {
  version: string;
  /** Whether pages run in a sandbox. */
  sandbox: boolean;
  /**
   * Loads a page without connections, cache and TLS sessions of earlier loads, except for what `visit.earlier` keeps.
   * @returns the result of `look`
   * @throws ClientHangs when no further load is possible; errors of the steps
   */
  load<T>(visit: Visit, steps: LoadSteps<T>): Promise<T>;
  /** The secrets that its connections over QUIC logged since the last call, in the format of SSLKEYLOGFILE; absent if it logs none. */
  newKeys?(): string;
  /** `listener` is called when the client ends on its own. */
  onEnd(listener: () => void): void;
  close(): Promise<void>;
}

/** A program that loads pages. To add one, add a folder next to this file with a `client.ts` that exports `client`. */
export interface Client {
  title: string;
  /** Text in its `user-agent` header that identifies it. */
  userAgent: string;
  /** Text that its header lacks, where another client's header also has `userAgent`. */
  userAgentLacks?: string;
  /** The program that it needs; absent where the lab always has it. */
  program?: string;
  /** The names of the protocols (servers/protocols.yml) that it speaks. */
  protocols: string[];
  /** How it sends requests, if it is not a browser: its loads are compared only with those of the same kind. */
  replays?: Replays;
  /**
   * What drives it, if it is a browser without DevTools. Such a browser reports no connection, address, TLS parameters or initiator
   * of a request, so that only packets show them; and it has no CPU throttling and no earlier visit.
   */
  drivenBy?: string;
  open(options: ClientOptions): Promise<OpenClient>;
}

/** The client does not respond any more. */
export class ClientHangs extends Error {}
