/** The requests that the browser sends through the recording proxy, and their responses. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Dispatcher } from "undici";
import type { LabError } from "../../schema/errors.ts";
import type { SeenExchange } from "../../sites/recorder/seen-exchange.ts";
import { excessOf } from "../../sites/recorder/write-recording.ts";
import type { Activity } from "../chromium/network-quiet.ts";
import { fetchExchange, isPassedOn, type Receiver } from "./fetch-exchange.ts";

export type ProxyRequest = IncomingMessage | Http2ServerRequest;
export type ProxyResponse = ServerResponse | Http2ServerResponse;

/** A request that has no complete response, or not yet. */
export interface Unanswered {
  method: string;
  url: string;
  /** Absent if the response has not begun. */
  head?: Pick<SeenExchange, "status" | "headers">;
  error?: Error & { code?: string };
}

export class ProxiedRequests implements Activity {
  readonly exchanges: SeenExchange[] = [];
  readonly failed: Unanswered[] = [];
  readonly open = new Set<Unanswered>();
  /** URLs of WebSockets, which are refused. */
  readonly sockets: string[] = [];
  /** Those of responses so far, also of incomplete ones. */
  bytes = 0;
  /** In the order of their first requests, only those that answered. */
  readonly names = new Set<string>();
  readonly #agent: Dispatcher;
  readonly #onExcess: (error: LabError) => void;
  #lastMs = performance.now();
  #firstMs: number | null = null;

  /** @param onExcess is called when there is more than a recording may have */
  constructor(agent: Dispatcher, onExcess: (error: LabError) => void) {
    this.#agent = agent;
    this.#onExcess = onExcess;
  }

  readonly lastMs = (): number => this.#lastMs;
  readonly isActive = (): boolean => this.open.size > 0;

  /** Passes a request on to its site, and the response to the browser. */
  async answer(url: URL, request: ProxyRequest, response: ProxyResponse): Promise<void> {
    const method = request.method ?? "GET";
    const one: Unanswered = { method, url: url.href };
    const startedMs = performance.now();
    this.#firstMs ??= startedMs;
    this.open.add(one);
    this.#more(0);
    try {
      const sent = await bodyOf(request);
      const asked = { method, url, headers: headersOf(request), sent };
      const fetched = await fetchExchange(this.#agent, asked, receiverOf(response), {
        head: (status, headers) => {
          one.head = { status, headers };
          this.names.add(url.host);
          this.#more(0);
        },
        bytes: (count) => this.#more(count),
      });
      const { status, headers, chunks, sentAtMs, answeredAtMs } = fetched;
      const times = { waitMs: answeredAtMs - sentAtMs, startMs: startedMs - this.#firstMs };
      this.exchanges.push({ method, url: url.href, sent, status, headers, body: Buffer.concat(chunks), ...times });
    } catch (error) {
      this.failed.push({ ...one, error: error as Error });
      breakOff(response);
    } finally {
      this.open.delete(one);
      this.#more(0);
    }
  }

  #more(bytes: number): void {
    this.#lastMs = performance.now();
    this.bytes += bytes;
    const excess = excessOf({ bytes: this.bytes, exchanges: this.exchanges.length, names: [...this.names] });
    if (excess) this.#onExcess(excess);
  }
}

const headersOf = ({ headers }: ProxyRequest): [string, string][] =>
  Object.entries(headers).flatMap(([name, value = []]) =>
    isPassedOn(name) && name !== "host" && name !== "content-length"
      ? [value].flat().map((one): [string, string] => [name, one])
      : [],
  );

/** More than a form has: files that are uploaded do not belong to the load of a page. */
const mostSentBytes = 20e6;

async function bodyOf(request: ProxyRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostSentBytes) throw new Error(`it sends more than ${mostSentBytes / 1e6} MB`);
  }
  return Buffer.concat(chunks);
}

function receiverOf(response: ProxyResponse): Receiver {
  const out = response as ServerResponse; // both have the same functions, but TypeScript cannot call a union of overloads
  let isEnded = false; // `writableFinished` of HTTP/2 is also true after an abort
  return {
    begin(status, headers) {
      const grouped = new Map<string, string[]>();
      for (const [name, value] of headers) grouped.set(name, [...(grouped.get(name) ?? []), value]);
      for (const [name, values] of grouped) out.setHeader(name, values.length === 1 ? (values[0] ?? "") : values);
      out.writeHead(status);
    },
    write: (chunk) => void out.write(chunk),
    end() {
      isEnded = true;
      out.end();
    },
    onCancel: (cancel) => void out.once("close", () => isEnded || cancel()),
  };
}

/** The browser sees that the connection to the site failed: it must not mistake it for a response. */
function breakOff(response: ProxyResponse): void {
  if ("stream" in response) response.stream.close(internalError);
  else response.destroy();
}
/** RFC 9113, section 7. */
const internalError = 2;
