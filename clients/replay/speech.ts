/** How a connection is spoken over once it is there; each protocol has a module. */
import type { Socket } from "node:net";
import type { Kind } from "./markup.ts";

export interface Request {
  /** The whole address: every protocol names the host. */
  url: URL;
  kind: Kind;
  headers: { "user-agent": string; accept: string };
}

/** What comes of a request. Nothing is heard after its end. */
export interface Listener {
  /** @param headerBytes of the answer, over the wire, where the protocol's library tells */
  answered(status: number, server: string | null, headerBytes: number): void;
  data(chunk: Buffer): void;
  /** @param failure why it has no answer, or not all of it; null if it has */
  ended(failure: string | null): void;
}

export interface Speaker {
  ask(request: Request, listener: Listener): void;
  /** What it keeps beside the connection, which is ended by whoever opened it. */
  close(): void;
}

/** @param shared whether it is to be asked for more before an answer is whole */
export type Speech = (socket: Socket, origin: string, shared: boolean) => Speaker;

/** What a host may send of a stream, and of all of them, before it is told to go on; no page of the lab fills it. */
export const windowBytes = 10 * 2 ** 20;

/**
 * Which answers a server is to send first, as browsers have it: the document, what shows and runs it, images. SPDY and HTTP/2 ask
 * for shares; spdy-transport fits them into SPDY's eight priorities.
 */
export const weights: Readonly<Record<Kind, number>> = { document: 36, script: 26, style: 26, icon: 6, image: 6 };
