/** What the browser reports about a load's requests through the DevTools protocol. */
import type { CDPSession, Protocol as DevTools, Page } from "puppeteer-core";
import type { ClientEvidence, RequestEvidence } from "../../schema/evidence.ts";
import { networkQuiet } from "./network-quiet.ts";
import { type PageSession, pageSessions } from "./page-sessions.ts";
import { type Followed, headerOf, type RequestsEvidence, requestsEvidence } from "./requests-evidence.ts";

export interface FollowedRequests {
  /** Time of the first request, since the epoch; null when there was none. */
  firstRequestMs: number | null;
  /** Whether a resource that the page may paint is still in flight. Absent if the browser does not report it. */
  paintsLater?: boolean;
  /** @param loadMs the time of the load event, if there was one */
  evidence(loadMs?: number): RequestsEvidence;
}

export interface RequestsFollower {
  soFar(): FollowedRequests;
  /** Waits for all events so far, because the browser may report the load event before the end of requests that delayed the load event. */
  catchUp(): Promise<void>;
  /** Waits until the network is quiet, for at most `limitMs`. Absent if the browser does not report network activity. */
  untilQuiet?(limitMs: number): Promise<ClientEvidence["recordedUntil"]>;
}

/** Types of requests that delay the load event (HTML standard, section 8.3). */
const awaited: ReadonlySet<string | undefined> = new Set(["Document", "Stylesheet", "Image", "Font", "Script"]);
/** Types of requests that may not end by themselves: a video is fetched while it plays, and an event stream or a socket stays open. */
const lasting: ReadonlySet<string | undefined> = new Set(["Media", "EventSource", "WebSocket"]);
/** True if the browser may never report the request's end, as for a response that no script reads, or for a worker's own script. */
const isEndless = ({ type, response, awaited }: Followed) =>
  lasting.has(type) || (type === "Fetch" && response !== undefined) || (type === "Script" && !awaited && !response);
type Sent = DevTools.Network.RequestWillBeSentEvent;

/** Returns what initiated the request: a script, or a style rule that layout applied. Returns undefined if the markup initiated it. */
function initiatorOf({ type, initiator }: Sent, documents: ReadonlySet<string>): RequestEvidence["initiator"] {
  if (initiator.type === "script") return "script";
  if (type === "Font") return "style"; // layout requests fonts, even for a rule in the document itself
  const fromSheet = initiator.url !== undefined && !documents.has(initiator.url);
  return fromSheet && type === "Image" ? "style" : undefined;
}

/** Observes the requests of a page, and of its workers and frames, from now on. */
export async function followRequests(page: Page, inRecords = (url: string) => url): Promise<RequestsFollower> {
  const log = new RequestLog(inRecords);
  const sessions = await pageSessions(page, (one) => log.follow(one));
  // When a worker ends, its requests end too.
  const isActive = (one: Followed) => one.finishedAt === undefined && !isEndless(one) && sessions.has(one.session);
  return {
    soFar: () => log.soFar(),
    async catchUp() {
      // Each session answers only after it has sent all earlier events.
      await Promise.all([...sessions].map((session) => session.send("Network.enable").catch(() => {})));
    },
    untilQuiet: (limitMs) => networkQuiet({ lastMs: () => log.lastMs, isActive: () => log.some(isActive) }, limitMs),
  };
}

/** The requests that a page's sessions reported. Two sessions may report the same request, under the same id. */
class RequestLog {
  lastMs = performance.now();
  readonly #requests = new Map<string, Followed>();
  readonly #documents = new Set<string>();
  readonly #failed = new Set<string>();
  /** Request id -> what the browser reported about a request before it reported, perhaps in another session, that the request was sent. */
  readonly #early = new Map<string, ((one: Followed) => Partial<Followed>)[]>();
  #userAgent = "";
  #firstRequestMs: number | null = null;
  readonly #inRecords: (url: string) => string;

  constructor(inRecords: (url: string) => string) {
    this.#inRecords = inRecords;
  }

  some(is: (one: Followed) => boolean): boolean {
    return [...this.#requests.values()].some(is);
  }

  soFar(): FollowedRequests {
    const requests = [...this.#requests.values()].map((request) => ({ ...request }));
    const counted = { userAgent: this.#userAgent, failed: this.#failed.size };
    return {
      firstRequestMs: this.#firstRequestMs,
      paintsLater: requests.some((one) => one.awaited && one.finishedAt === undefined),
      evidence: (loadMs) => ({ ...counted, ...requestsEvidence(requests, loadMs) }),
    };
  }

  follow({ session, of }: PageSession): Promise<unknown> {
    session.on("Network.requestWillBeSent", (event) => {
      if (of === "service worker") this.#endScript(session, event);
      this.#sent(event, session, of !== "page or frame");
    });
    // Removes requests that a cache or a service worker answers, because they do not leave the browser.
    session.on("Network.requestServedFromCache", ({ requestId }) => void this.#requests.delete(requestId));
    session.on("Network.responseReceived", ({ requestId, response }) => {
      if (response.fromServiceWorker) this.#requests.delete(requestId);
      else this.#add(requestId, () => ({ response: this.#recorded(response) }));
    });
    session.on("Network.requestWillBeSentExtraInfo", ({ requestId, headers }) => {
      const priority = headerOf(headers, "priority");
      if (priority !== undefined) this.#add(requestId, () => ({ priority }));
    });
    session.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode: status }) =>
      this.#add(requestId, () => ({ status })),
    );
    session.on("Network.dataReceived", ({ requestId, encodedDataLength }) =>
      this.#add(requestId, ({ bodyBytes }) => ({ bodyBytes: bodyBytes + encodedDataLength })),
    );
    session.on("Network.loadingFinished", ({ requestId, timestamp: finishedAt, encodedDataLength: bytes }) =>
      this.#add(requestId, () => ({ finishedAt, bytes })),
    );
    session.on("Network.loadingFailed", ({ requestId, timestamp: finishedAt, errorText, blockedReason }) => {
      this.#failed.add(requestId);
      const failure = blockedReason ?? errorText;
      this.#add(requestId, ({ response }) => ({ finishedAt, bytes: response?.encodedDataLength ?? 0, failure }));
    });
    session.on("Network.webSocketCreated", ({ requestId, url }) => this.#socketOpened(requestId, url, session));
    return session.send("Network.enable");
  }

  /** The browser does not report a WebSocket's own connection. There is no response either, because no server of the lab accepts WebSockets. */
  #socketOpened(requestId: string, url: string, session: CDPSession): void {
    const kind = { type: "WebSocket", awaited: false, initiator: "script" as const };
    this.#requests.set(requestId, { url, ...kind, sentAt: 0, bodyBytes: 0, session });
    this.lastMs = performance.now();
  }

  /** A service worker's first request is for its own script. If the browser does not report this request's end, the worker's next one marks it. */
  #endScript(session: CDPSession, { requestId, timestamp }: Sent): void {
    const [id, first] = [...this.#requests].find(([, one]) => one.session === session) ?? [];
    if (id !== undefined && id !== requestId && first?.type === "Script")
      this.#add(id, ({ finishedAt = timestamp }) => ({ finishedAt }));
  }

  #sent(event: Sent, session: CDPSession, isWorker: boolean): void {
    const { requestId, request, timestamp, wallTime, redirectResponse, type } = event;
    const { url } = request;
    this.#firstRequestMs ??= wallTime * 1000;
    const before = this.#requests.get(requestId);
    if (before && !redirectResponse) return; // the session of a frame's parent reports the frame's document, too
    if (before && redirectResponse) {
      const { encodedDataLength: bytes } = redirectResponse;
      const response = this.#recorded(redirectResponse);
      const redirected = { ...before, response, finishedAt: timestamp, bytes };
      this.#requests.set(`${requestId} ${this.#requests.size}`, redirected);
      this.#requests.delete(requestId);
    }
    if (!/^https?:/.test(url)) return;
    if (type === "Document") this.#documents.add(url);
    // A worker's requests never delay the load event, and their initiator is a script.
    const kind = isWorker
      ? { awaited: false, initiator: "script" as const }
      : { awaited: awaited.has(type), initiator: initiatorOf(event, this.#documents) };
    this.#requests.set(requestId, {
      url: this.#inRecords(url),
      ...kind,
      type,
      sentAt: timestamp,
      bodyBytes: 0,
      session,
    });
    for (const news of this.#early.get(requestId) ?? []) this.#add(requestId, news);
    this.#early.delete(requestId);
    this.#userAgent ||= request.headers["User-Agent"] ?? "";
    this.lastMs = performance.now();
  }

  #recorded = (response: DevTools.Network.Response) => ({ ...response, url: this.#inRecords(response.url) });

  #add(requestId: string, news: (one: Followed) => Partial<Followed>): void {
    const one = this.#requests.get(requestId);
    if (one) Object.assign(one, news(one));
    else this.#early.set(requestId, [...(this.#early.get(requestId) ?? []), news]);
    this.lastMs = performance.now();
  }
}
