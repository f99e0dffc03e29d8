import assert from "node:assert/strict";
import { test } from "node:test";
import { earlierVisitOf, type Followed, requestsEvidence } from "./requests-evidence.ts";

const response = (path: string, more = {}) => ({
  url: `https://server1.lab${path}`,
  status: 200,
  headers: {},
  connectionId: 7,
  protocol: "h2",
  encodedDataLength: 100,
  ...more,
});

/** @param sentAt in seconds, as the browser reports it */
const followed = (path: string, sentAt: number, more = {}): Followed =>
  ({
    url: `https://server1.lab${path}`,
    type: "Fetch",
    awaited: false,
    initiator: "script",
    sentAt,
    bodyBytes: 0,
    ...more,
  }) as Followed;

const page = followed("/", 5, {
  ...{ type: "Document", awaited: true, initiator: undefined },
  ...{ response: response("/"), finishedAt: 5.1, bytes: 1100 },
});

const seen = (...more: Followed[]) => requestsEvidence([page, ...more], 100);

test("a worker's script without a reported response is listed under a connection to its host", () => {
  const { requests, receivedBytes, connections, unanswered } = seen(
    followed("/sw.js", 5.2, { type: "Script", finishedAt: 5.25, bytes: 212 }),
  );
  assert.deepEqual([requests, receivedBytes, unanswered], [2, 1312, undefined]);
  const script = { path: "/sw.js", status: 200, bytes: 212, startMs: 200, endMs: 250 };
  assert.deepEqual(connections[0]!.requests[1], { ...script, initiator: "script", nonBlocking: true });
});

test("a dedicated worker's script, whose response has no connection id, is listed under a connection to its host", () => {
  const { requests, connections } = seen(
    followed("/worker.js", 5.05, {
      ...{ type: "Script", awaited: true, initiator: undefined },
      ...{ response: response("/worker.js", { connectionId: 0 }), finishedAt: 5.08, bytes: 137 },
    }),
  );
  assert.deepEqual([requests, connections.length], [2, 1]);
  const script = { path: "/worker.js", status: 200, bytes: 137, startMs: 50, endMs: 80 };
  assert.deepEqual(connections[0]!.requests[1], { ...script, nonBlocking: true });
});

test("if a response has not ended, the bytes that have arrived are counted", () => {
  const { receivedBytes, connections } = seen(
    followed("/unread.json", 5.2, { response: response("/unread.json"), bodyBytes: 5000 }),
  );
  assert.equal(receivedBytes, 6200);
  assert.deepEqual(
    connections[0]!.requests.map(({ endMs }) => endMs),
    [100, null],
  );
});

test("prefetching a page is a network request; using the prefetched page is not", () => {
  const marked = response("/next.html", { fromPrefetchCache: true });
  const ended = { response: marked, finishedAt: 5.3, bytes: 1219 };
  const prefetch = seen(followed("/next.html", 5.2, { type: "Prefetch", ...ended }));
  assert.deepEqual([prefetch.requests, prefetch.fromCache, prefetch.receivedBytes], [2, 0, 2319]);
  const used = seen(followed("/next.html", 5.2, { type: "Document", ...ended }));
  assert.deepEqual([used.requests, used.fromCache, used.receivedBytes], [1, 1, 1100]);
});

test("reusing a response that this load has already fetched is not a request, and adds no bytes", () => {
  const again = response("/", { connectionId: 0 });
  const { requests, receivedBytes } = seen(followed("/", 5.2, { response: again, finishedAt: 5.2, bytes: 90 }));
  assert.deepEqual([requests, receivedBytes], [1, 1100]);
});

test("the summary of an earlier visit has the number of responses over each protocol, and the announcements of HTTP/3", () => {
  const announced = { headers: { "Alt-Svc": 'h3=":4433"' } };
  const get = (path: string, more: object) =>
    followed(path, 5.2, { response: response(path, { ...announced, ...more }), finishedAt: 5.3, bytes: 10 });
  const { connections } = seen(get("/1", {}), get("/2", {}), get("/3", { connectionId: 8, protocol: "h3" }));
  assert.deepEqual(
    connections.map(({ protocol, altSvc }) => [protocol, altSvc]),
    [
      ["h2", ['h3=":4433"']],
      ["h3", ['h3=":4433"']],
    ],
  );
  assert.deepEqual(earlierVisitOf({ connections }), { responses: { h2: 3, h3: 1 }, altSvc: ['h3=":4433"'] });
});
