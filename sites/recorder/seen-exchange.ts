/** Requests and responses as their source has them, before anything is left out: a visit through the recording proxy, a HAR, or an archive. */
import type { BrowserWindow } from "../../schema/browser-window.ts";

export interface SeenExchange {
  method: string;
  /** May have a fragment, a user and a password. */
  url: string;
  /** The request's body; empty if there was none. */
  sent: Buffer;
  status: number;
  /** In their order. Names in any case. */
  headers: [name: string, value: string][];
  /** The response's body as on the network, in the content coding that `headers` name; empty if there was none. */
  body: Buffer;
  waitMs: number | null;
  startMs: number;
}

/** What is known about the connections to a name. */
export interface SeenName {
  /** As in URLs: with the port, if it is not the scheme's default. */
  name: string;
  /** The addresses and ports of the name. The first is that of the connection. Empty if they are unknown. */
  endpoints: readonly string[];
  /** The names that its server's certificate covers; empty without TLS. */
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
  /** In the order of their first requests. */
  names: SeenName[];
  /** Sentences about what the source itself left out. */
  leftOut: string[];
}

/** The value of the first header of this name. @param name in lower case */
export const headerIn = (headers: SeenExchange["headers"], name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];
