/** The recording proxy's side towards the browser: reads its requests and sends it responses. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { type Head, isPassedOn, listOf } from "./fetch-exchange.ts";

export type ProxyRequest = IncomingMessage | Http2ServerRequest;
export type ProxyResponse = ServerResponse | Http2ServerResponse;

export const headersOf = ({ headers }: ProxyRequest): [string, string][] =>
  listOf(headers).filter(([name]) => isPassedOn(name) && name !== "host" && name !== "content-length");

/** The limit of a request's body: enough for forms, but not for uploads of files, because these are not part of a page load. */
const mostSentBytes = 20e6;

export async function bodyOf(request: ProxyRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostSentBytes) throw new Error(`the request sends more than ${mostSentBytes / 1e6} MB`);
  }
  return Buffer.concat(chunks);
}

export class BrowserSide {
  readonly #out: ServerResponse;
  readonly #response: ProxyResponse;
  /** Whether the proxy ended the response. `writableFinished` does not show it: in HTTP/2 it is also true if the browser ended the response. */
  #isEnded = false;

  constructor(response: ProxyResponse) {
    this.#response = response;
    this.#out = response as ServerResponse; // both have the same functions, but TypeScript cannot call a union of overloads
  }

  /** @param listener is called if the browser cancels the request */
  onGivenUp(listener: () => void): void {
    this.#out.once("close", () => this.#isEnded || listener());
  }

  begin({ status, headers }: Head): void {
    const grouped = new Map<string, string[]>();
    for (const [name, value] of headers) if (isPassedOn(name)) grouped.set(name, [...(grouped.get(name) ?? []), value]);
    for (const [name, values] of grouped) this.#out.setHeader(name, values.length === 1 ? (values[0] ?? "") : values);
    this.#out.writeHead(status);
  }

  /** @returns whether the browser can receive more now */
  write(chunk: Buffer): boolean {
    return this.#out.write(chunk);
  }

  onceDrained(drained: () => void): void {
    this.#out.once("drain", drained);
  }

  end(): void {
    this.#isEnded = true;
    this.#out.end();
  }

  /** Closes the stream or connection with an error, so that the browser does not mistake a failed connection to the site for a response. */
  breakOff(): void {
    this.#isEnded = true;
    if ("stream" in this.#response) this.#response.stream.close(internalError);
    else this.#response.destroy();
  }
}
const internalError = 2; // HTTP/2's INTERNAL_ERROR (RFC 9113, section 7)
