/** All requests and responses of a source, before anything is left out. Sources are visits through the recording proxy, HARs and archives. */
import type { BrowserWindow } from "../../schema/browser-window.ts";

export interface SeenExchange {
  method: string;
  /** The URL, which may have a fragment, a user and a password. */
  url: string;
  /** The request's body; empty if there was none. */
  sent: Buffer;
  status: number;
  /** The headers in the order of the source, with names in any case. */
  headers: [name: string, value: string][];
  /** The response's body as on the network, in the content coding that `headers` name; empty if there was none. */
  body: Buffer;
  waitMs: number | null;
  startMs: number;
}

/** What is known about the connections to a name. */
export interface SeenName {
  /** The name as in URLs, so with the port if the port is not the scheme's default. */
  name: string;
  /** The addresses and ports of the name, first the connection's address and port; empty if they are unknown. */
  endpoints: readonly string[];
  /** The names that the server's certificate covers; empty without TLS. */
  covered: readonly string[];
  handshakeMs: number | null;
}

/** The content of a source. Exchanges are in the order of the requests. */
export interface Seen {
  url: string;
  recordedAt: Date;
  recordedBy: string;
  view?: BrowserWindow;
  exchanges: SeenExchange[];
  /** The host names in the order of their first requests. */
  names: SeenName[];
  /** Sentences about what the source itself left out. */
  leftOut: string[];
}

/** Returns the value of the first header with this name. @param name the header's name in lower case */
export const headerIn = (headers: SeenExchange["headers"], name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];
