/** A request and its response as a source has them: a visit through the recording proxy, a HAR, or an archive. Nothing is left out yet. */
import type { BrowserWindow } from "../../schema/browser-window.ts";

export interface SeenExchange {
  method: string;
  /** May have a fragment, a user and a password. */
  url: string;
  /** What was sent with the request; empty if nothing was. */
  sent: Buffer;
  status: number;
  /** In their order. Names in any case. */
  headers: [name: string, value: string][];
  /** As the network carried it, in the content coding that `headers` name. Empty without a body. */
  body: Buffer;
  waitMs: number | null;
  startMs: number;
}

/** What is known about the connections to a name. */
export interface SeenName {
  /** As in URLs: with the port, if it is not the scheme's own. */
  name: string;
  /** The addresses and ports that the name had; the first was connected to. Empty if they are unknown. */
  endpoints: readonly string[];
  /** The names that its certificate covers; empty without TLS. */
  covered: readonly string[];
  handshakeMs: number | null;
}

/** What a source has, in the order of the requests. */
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

/** The value of a header, whose name is given in lower case; undefined without it. */
export const headerIn = (headers: SeenExchange["headers"], name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];
