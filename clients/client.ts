import type { Beginnings } from "../observe/packet-trace.ts";
import type { BrowserWindow } from "../schema/browser-window.ts";
import type { ClientEvidence } from "../schema/evidence.ts";
import type { Failure } from "../schema/failure.ts";
import type { ShownWindow } from "../schema/picture.ts";
import type { RecordedName } from "../schema/recorded-names.ts";
import type { Registries, Replays, WebHost } from "../schema/registries.ts";
import type { Settings } from "../schema/settings.ts";

export interface ClientOptions {
  hosts: readonly WebHost[];
  /** The protocols that loads use, by name; each has its own port on every host. */
  protocols: Registries["protocols"];
  /** The names and the protocol of the recorded page that the client loads; absent for other pages. */
  recorded?: { names: readonly RecordedName[]; protocol: Registries["protocols"][string] };
  /** The certificates (PEM) of the lab's CAs, the only ones to trust. */
  authorities: readonly string[];
  /** A folder for all files that the client writes; deleted when this process ends. */
  scratch: string;
  /** How the client finds out which hosts speak HTTP/3; absent if it must not use HTTP/3. */
  http3?: Http3;
  /** A folder for `keyLog`, other logs and screenshots (`frameName`), complete once the client is closed. Set only for loads that do not count. */
  logs?: string;
}

/** forced: a browser option names the hosts that speak HTTP/3; announced: only Alt-Svc headers name them. Fixed when a browser starts. */
export type Http3 = "forced" | "announced";

/** The name of the file with the connections' keys, in SSLKEYLOGFILE format (RFC 9850). */
export const keyLog = "keys.log";

/** The file name of a screenshot (JPEG) that was taken at this time after navigation start. */
export const frameName = (ms: number) => `frame-${ms.toFixed(1).padStart(8, "0")}ms.jpg`;

export interface Visit {
  url: string;
  timeoutMs: number;
  /** The browser's window; absent for the lab's default window. */
  window?: BrowserWindow | undefined;
  /** The factor by which the page's computation is slowed down; absent without a slowdown. */
  cpuSlowdown?: number | undefined;
  /** The number of connections to a host over HTTP/1.1, or one per request; absent for the client's default. Only for clients other than browsers. */
  connections?: Settings["client"]["connections"];
  /** How long connections stay idle before every second object is requested; absent for no idle time. Only for clients other than browsers. */
  idleMs?: Settings["client"]["idleMs"];
  /** Whether requests and paints are also recorded after the load event, until the network is quiet. Only for browsers with DevTools. */
  untilQuiet?: boolean;
  /**
   * A visit before the measured load: to the page or, with `instead`, to its first URL, from where the others are requested. The measured page uses
   * none of these. TLS tickets stay; the cache, too, with `keepsCache` or `instead`. If `isTold`, the evidence has protocols and HTTP/3 announcements.
   */
  earlier?: { keepsCache: boolean; isTold: boolean; instead?: readonly string[] } | undefined;
}

export interface Loaded {
  failure: Failure | null;
  evidence: ClientEvidence;
  /** null if the load has not begun, or if the client does not report when it began. */
  beginnings: Beginnings | null;
  /** Reads what only the loaded page can report. This takes processor time, so call it after all other observations. */
  afterwards?(): Promise<Partial<ClientEvidence>>;
}

export const timedOut = (timeoutMs: number): Failure => ({
  cause: "time-out",
  reason: `timeout: not loaded after ${timeoutMs / 1000} s`,
});

/** The caller's functions for the steps of a load. */
export interface LoadSteps<T> {
  /** Called at once, while the client gets ready, and again after an earlier visit. The page is requested only after `prepare` has finished. */
  prepare?(): Promise<void>;
  /** Called after an earlier visit, to close that visit's connections. */
  part?(): Promise<void>;
  /** Called just before the page is requested. */
  begin?(): Promise<void>;
  /** Called with what a browser's window shows, after all other observations, if the load succeeded. */
  show?(window: ShownWindow): void;
  /** Called when the page has loaded or failed, while its connections are still open. */
  look(loaded: Loaded): Promise<T>;
}

export interface OpenClient {
  version: string;
  sandbox: boolean;
  /** Loads a page without connections, cache and TLS sessions of earlier loads. @throws ClientHangs if no later load is possible; any step's error */
  load<T>(visit: Visit, steps: LoadSteps<T>): Promise<T>;
  /** Returns the TLS secrets that were logged since the last call, in SSLKEYLOGFILE format. Absent if the client logs no secrets. */
  newKeys?(): string;
  /** `listener` is called when the client ends on its own. */
  onEnd(listener: () => void): void;
  close(): Promise<void>;
}

/** A program that loads pages. To add one, add a folder next to this file with a `client.ts` that exports `client`. */
export interface Client {
  title: string;
  /** Text in the client's `user-agent` header that identifies the client. */
  userAgent: string;
  /** Text that the client's `user-agent` header does not have; needed if another client's header also contains `userAgent`. */
  userAgentLacks?: string;
  /** The program that must be installed for the client; absent if the lab always has this program. */
  program?: string;
  /** The names of the protocols (servers/protocols.yml) that the client speaks. */
  protocols: string[];
  /** How the client sends requests, if it is not a browser. Its loads are compared only with loads of clients that send in the same way. */
  replays?: Replays;
  /**
   * The protocol that drives the client, if the client is a browser without DevTools. Such a browser does not report a request's connection,
   * address, TLS parameters or initiator, so only packets can show them. It supports neither CPU throttling nor an earlier visit.
   */
  drivenBy?: string;
  /** Set if forced HTTP/3 applies to every port of a host. Then loads over other protocols need another process. */
  forcesWholeHosts?: true;
  open(options: ClientOptions): Promise<OpenClient>;
}

export class ClientHangs extends Error {}
