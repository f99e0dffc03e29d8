/** Writes loads as an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/). Fields that begin with _ are Chromium's additions. */
import { lookup } from "mrmime";
import { urgencyOf } from "../../observe/priorities.ts";
import { attemptTitle } from "../../schema/attempt.ts";
import type { RequestEvidence } from "../../schema/evidence.ts";
import type { GoodLoad } from "../../schema/records.ts";
import { documentRequests } from "../judge/load/document.ts";

/** Returns the media type that the browser read; in older records and of other clients, the type that the file's name shows. */
const mediaTypeOf = ({ mediaType, path }: Pick<RequestEvidence, "mediaType" | "path">): string =>
  mediaType ?? lookup(path.replace(/\?.*/s, "")) ?? "application/octet-stream";

/** @param loads the valid loads @param version the lab's version @param scheme returns the scheme of a load's URLs */
export const harOf = (loads: Iterable<GoodLoad>, version: string, scheme: (load: GoodLoad) => string) => {
  const all = [...loads];
  return {
    log: {
      version: "1.2",
      creator: { name: "Pageload Lab", version },
      pages: all.map(pageOf),
      entries: all.flatMap((load) => entriesOf(load, scheme(load))),
    },
  };
};

const pageOf = (load: GoodLoad) => ({
  startedDateTime: load.startedAt,
  id: attemptTitle(load),
  title: load.condition,
  pageTimings: { onContentLoad: load.evidence.timing.domContentLoadedEventStart ?? -1, onLoad: load.pageLoadMs },
});

function entriesOf(load: GoodLoad, scheme: string) {
  const { connections, timing } = load.evidence;
  const requests = connections
    .flatMap((connection) => connection.requests.map((request) => ({ request, connection })))
    .sort((a, b) => a.request.startMs - b.request.startMs);
  // Navigation Timing describes the request for the document. After a redirect, the document's request is not the first request.
  const isRedirected = documentRequests(requests.map(({ request }) => request)).length > 1;
  return requests.map(({ request, connection }, place) => {
    const timings = place === 0 && !isRedirected ? documentTimings(timing) : timingsOf(request);
    return {
      pageref: attemptTitle(load),
      startedDateTime: new Date(Date.parse(load.startedAt) + request.startMs).toISOString(),
      time: timings.blocked + timings.send + timings.wait + timings.receive + Math.max(0, timings.connect),
      request: {
        method: "GET",
        url: new URL(request.path, `${scheme}://${connection.host}`).href, // a recorded page's path has the host, too: //NAME/...
        httpVersion: connection.protocol,
        cookies: [],
        headers: headersOf({ priority: request.priority }),
        queryString: [],
        headersSize: -1,
        bodySize: 0,
      },
      response: {
        status: request.status,
        statusText: "",
        httpVersion: connection.protocol,
        cookies: [],
        headers: headersOf({ "content-encoding": request.encoding }),
        content: { size: request.bytes, mimeType: mediaTypeOf(request) },
        redirectURL: "",
        headersSize: -1,
        bodySize: -1,
        _transferSize: request.bytes,
      },
      cache: {},
      timings,
      _initiator: { type: request.initiator === "script" ? "script" : "parser" },
      ...(request.priority !== undefined && { _priority: priorityNames[urgencyOf(request)] }),
      ...(connection.address !== null && { serverIPAddress: connection.address.replace(/:\d+$/, "") }),
      ...(connection.id !== null && { connection: String(connection.id) }),
    };
  });
}

const headersOf = (known: Readonly<Record<string, string | undefined>>) =>
  Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));

/** Chromium's names for the urgencies 0 to 7 of requests, as its developer tools write them into a HAR. */
const priorityNames = ["VeryHigh", "High", "Medium", "Low", "VeryLow", "VeryLow", "VeryLow", "VeryLow"];

/** Returns the times of the document's request, which opened the first connection. In a HAR, `connect` includes TLS (`ssl`). */
function documentTimings(timing: Readonly<Record<string, number>>) {
  const { connectStart = 0, connectEnd = 0, requestStart = 0, responseStart = 0, responseEnd = 0 } = timing;
  const connect = connectEnd - connectStart;
  return {
    blocked: connectStart,
    dns: -1,
    connect,
    send: 0,
    wait: responseStart - requestStart,
    receive: responseEnd - responseStart,
  };
}

/** If the start of the response is not recorded, all time after the request was sent counts as `wait`. */
function timingsOf({ startMs, endMs, sentMs = startMs, answeredMs }: RequestEvidence) {
  const end = endMs ?? answeredMs ?? sentMs;
  const answered = answeredMs ?? end;
  return { blocked: sentMs - startMs, dns: -1, connect: -1, send: 0, wait: answered - sentMs, receive: end - answered };
}
