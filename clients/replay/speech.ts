/** The interface that each protocol's module implements, to send requests over an open connection. */
import type { Socket } from "node:net";
import type { Kind } from "./markup.ts";

export interface Request {
  /** Includes the host, which every protocol sends. */
  url: URL;
  kind: Kind;
  headers: { "user-agent": string; accept: string };
}

/** Receives the response to a request. No method is called after `ended`. */
export interface Listener {
  /** @param headerBytes the headers' bytes on the wire; 0 if the protocol's library does not report them */
  answered(status: number, server: string | null, headerBytes: number): void;
  data(chunk: Buffer): void;
  /** @param failure why the response is missing or incomplete; null if it is complete */
  ended(failure: string | null): void;
}

export interface Speaker {
  ask(request: Request, listener: Listener): void;
  /** Releases the protocol's state; the caller closes the socket. */
  close(): void;
}

/** @param shared whether a request is sent before the previous response is complete */
export type Speech = (socket: Socket, origin: string, shared: boolean) => Speaker;

/** Flow control window of a stream and of the connection; larger than any page. */
export const windowBytes = 10 * 2 ** 20;

/** Priorities in the order of browsers: document, styles and scripts, images. spdy-transport maps the weights to SPDY's eight priorities. */
export const weights: Readonly<Record<Kind, number>> = { document: 36, script: 26, style: 26, icon: 6, image: 6 };
