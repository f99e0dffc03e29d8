import type { Dispatcher } from "undici";
import type { LabError } from "../../schema/errors.ts";
import { headerIn, type SeenExchange } from "../../sites/recorder/seen-exchange.ts";
import { excessOf } from "../../sites/recorder/write-recording.ts";
import type { Activity } from "../chromium/network-quiet.ts";
import { BrowserSide, bodyOf, headersOf, type ProxyRequest, type ProxyResponse } from "./browser-side.ts";
import { fetchExchange, type Head } from "./fetch-exchange.ts";

/** A request whose response is not complete. */
export interface Incomplete {
  method: string;
  url: string;
  /** Absent if the response has not begun. */
  head?: Head;
  error?: Error & { code?: string };
  /** Whether the browser has cancelled the request. */
  isGivenUp: boolean;
}

interface Open extends Incomplete {
  sent: Buffer;
  chunks: Buffer[];
  waitMs: number | null;
  startMs: number;
  bytesInVain: number;
}

const hasType = ({ head }: Incomplete, pattern: RegExp): boolean =>
  pattern.test((head && headerIn(head.headers, "content-type")) ?? "");
/** Browsers first fetch only the part of a video that they need. The proxy also fetches and keeps only this part. */
const isMedia = (one: Incomplete): boolean => hasType(one, /^(video|audio)\//i);
export const isEventStream = (one: Incomplete): boolean => hasType(one, /^text\/event-stream/i);

/** Browsers cancel damaged images, and responses that no script needs. What is left is usually small: the proxy fetches it, up to this limit. */
const mostInVainBytes = 20e6;

export class ProxiedRequests implements Activity {
  readonly exchanges: SeenExchange[] = [];
  readonly failed: Incomplete[] = [];
  readonly open = new Set<Open>();
  /** Media of which only a part is kept. */
  readonly parts: Incomplete[] = [];
  /** URLs of WebSockets, which are refused. */
  readonly sockets: string[] = [];
  bytes = 0;
  readonly #names = new Set<string>();
  readonly #agent: Dispatcher;
  readonly #onExcess: (error: LabError) => void;
  #lastMs = performance.now();
  #firstMs: number | null = null;

  /** @param onExcess is called when the visit exceeds a recording's limits */
  constructor(agent: Dispatcher, onExcess: (error: LabError) => void) {
    this.#agent = agent;
    this.#onExcess = onExcess;
  }

  readonly lastMs = (): number => this.#lastMs;
  /** Ignores media and event streams, because they do not end by themselves. */
  readonly isActive = (): boolean =>
    [...this.open].some((one) => !one.isGivenUp && !isMedia(one) && !isEventStream(one));

  async answer(url: URL, request: ProxyRequest, response: ProxyResponse): Promise<void> {
    const nowMs = performance.now();
    this.#firstMs ??= nowMs;
    const asked = { method: request.method ?? "GET", url: url.href, sent: Buffer.alloc(0) };
    const one: Open = {
      ...asked,
      chunks: [],
      waitMs: null,
      startMs: nowMs - this.#firstMs,
      isGivenUp: false,
      bytesInVain: 0,
    };
    const browser = new BrowserSide(response);
    this.open.add(one);
    this.#more(0);
    try {
      one.sent = await bodyOf(request);
      await this.#fetch(one, headersOf(request), browser);
      browser.end();
      this.#keep(one);
    } catch (error) {
      one.error = error as Error;
      browser.breakOff();
      if (!this.#keepPart(one)) this.failed.push(one);
    } finally {
      this.open.delete(one);
      this.#more(0);
    }
  }

  /** Called at the end of the visit. If media responses have not ended, keeps the parts that have arrived. */
  settle(): void {
    for (const one of this.open) if (this.#keepPart(one)) this.open.delete(one);
  }

  async #fetch(one: Open, headers: [string, string][], browser: BrowserSide): Promise<void> {
    const stop = new AbortController();
    browser.onGivenUp(() => {
      one.isGivenUp = true;
      this.#more(0);
      if (isMedia(one)) stop.abort(new Error("the page cancelled it"));
    });
    const url = new URL(one.url);
    const arrival = {
      head: (head: Head, waitMs: number) => {
        Object.assign(one, { head, waitMs });
        this.#names.add(url.host);
        this.#more(0);
        if (!one.isGivenUp) browser.begin(head);
      },
      chunk: (bytes: Buffer, resume: () => void): boolean => {
        one.chunks.push(bytes);
        this.#more(bytes.length);
        if (one.isGivenUp) one.bytesInVain += bytes.length;
        if (one.bytesInVain > mostInVainBytes) stop.abort(new Error("the page cancelled it"));
        // Only media wait until the browser reads them. Browsers do not read other bodies that no script reads, but the recording needs them.
        const isFree = one.isGivenUp || browser.write(bytes) || !isMedia(one);
        if (!isFree) browser.onceDrained(resume);
        return isFree;
      },
    };
    await fetchExchange(this.#agent, { method: one.method, url, headers, sent: one.sent }, arrival, stop.signal);
  }

  #keep({ method, url, sent, head, chunks, waitMs, startMs }: Open): void {
    if (head) this.exchanges.push({ method, url, sent, ...head, body: Buffer.concat(chunks), waitMs, startMs });
  }

  #keepPart(one: Open): boolean {
    if (!isMedia(one) || one.chunks.length === 0) return false;
    this.#keep(one);
    this.parts.push(one);
    return true;
  }

  #more(bytes: number): void {
    this.#lastMs = performance.now();
    this.bytes += bytes;
    const excess = excessOf({ bytes: this.bytes, exchanges: this.exchanges.length, names: [...this.#names] });
    if (excess) this.#onExcess(excess);
  }
}
