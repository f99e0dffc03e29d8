import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import type { Page } from "puppeteer-core";
import { followRequests } from "./bidi-requests.ts";

const events = new EventEmitter();
const page = () => Object.assign(new EventEmitter(), { browser: () => ({ connection: events }) }) as unknown as Page;

const header = (name: string, value: string) => ({ name, value: { type: "string", value } });
const asked = (request: string, url: string, atMs: number) => ({
  request: {
    request,
    url,
    headers: [header("User-Agent", "Mozilla/5.0 Firefox/153.0")],
    timings: { requestTime: atMs, requestStart: atMs + 20, responseStart: atMs + 40.06, responseEnd: atMs + 50 },
  },
});
const answered = (event: ReturnType<typeof asked>, fromCache = false) => ({
  ...event,
  response: { protocol: "h2", status: 200, fromCache, bytesReceived: 1000, headers: [header("server", "nginx")] },
});

const html = asked("1", "https://s1.lab:4432/A/2-h2.html", 1000);
html.request.headers.push(header("Priority", "u=0, i"));
const image = asked("2", "https://s2.lab:4432/A/1.jpg", 1060);

test("requests are grouped by host, because BiDi reports no connections; their times are relative to the first request", async () => {
  const seen = await followRequests(page());
  for (const event of [html, image]) events.emit("network.beforeRequestSent", event);
  for (const event of [html, image]) events.emit("network.responseCompleted", answered(event));
  const { firstRequestMs, evidence } = seen.soFar();
  assert.equal(firstRequestMs, 1000);
  const { connections, ...others } = evidence();
  const counts = { requests: 2, failed: 0, fromCache: 0, receivedBytes: 2000 };
  assert.deepEqual(others, { userAgent: "Mozilla/5.0 Firefox/153.0", ...counts });
  const rest = { id: null, address: null, protocol: "h2", software: ["nginx"] };
  const answer = { status: 200, bytes: 1000 };
  assert.deepEqual(connections, [
    {
      ...rest,
      host: "s1.lab",
      requests: [
        { ...answer, path: "/A/2-h2.html", startMs: 0, sentMs: 20, answeredMs: 40.1, endMs: 50, priority: "u=0, i" },
      ],
    },
    {
      ...rest,
      host: "s2.lab",
      requests: [{ ...answer, path: "/A/1.jpg", startMs: 60, sentMs: 80, answeredMs: 100.1, endMs: 110 }],
    },
  ]);
});

test("if several responses of a host have the same Alt-Svc header, which announces HTTP/3, the announcement is listed once", async () => {
  const seen = await followRequests(page());
  const again = asked("3", "https://s1.lab:4432/A/3.jpg", 1100);
  for (const event of [html, image, again]) {
    const { response, ...rest } = answered(event);
    const announced = event === image ? [] : [header("Alt-Svc", 'h3=":4433"')];
    events.emit("network.beforeRequestSent", event);
    events.emit("network.responseCompleted", {
      ...rest,
      response: { ...response, headers: [...response.headers, ...announced] },
    });
  }
  const told = seen
    .soFar()
    .evidence()
    .connections.map(({ host, altSvc }) => [host, altSvc]);
  assert.deepEqual(told, [
    ["s1.lab", ['h3=":4433"']],
    ["s2.lab", undefined],
  ]);
});

test("a response from the cache is not counted as a request, and is listed as cached unless this load has fetched the same URL", async () => {
  const seen = await followRequests(page());
  const again = asked("3", image.request.url, 1200);
  const kept = asked("4", "https://s2.lab:4432/A/2.jpg", 1200);
  for (const event of [html, image, again, kept]) events.emit("network.beforeRequestSent", event);
  for (const event of [html, image]) events.emit("network.responseCompleted", answered(event));
  for (const event of [again, kept]) events.emit("network.responseCompleted", answered(event, true));
  const { requests, fromCache, cached } = seen.soFar().evidence();
  assert.deepEqual([requests, fromCache], [2, 1]);
  assert.deepEqual(cached, [{ host: "s2.lab", path: "/A/2.jpg", status: 200, caching: "" }]);
});

test("a failed request without a response is counted as failed and listed as unanswered", async () => {
  const seen = await followRequests(page());
  for (const event of [html, image]) events.emit("network.beforeRequestSent", event);
  events.emit("network.responseCompleted", answered(html));
  events.emit("network.fetchError", image);
  const { requests, failed, unanswered } = seen.soFar().evidence();
  assert.deepEqual([requests, failed], [2, 1]);
  assert.deepEqual(unanswered, [{ url: image.request.url, why: "" }]);
});

test("requests after the page is closed are ignored", async () => {
  const closed = page();
  const seen = await followRequests(closed);
  closed.emit("close", undefined as never);
  events.emit("network.beforeRequestSent", html);
  assert.equal(seen.soFar().evidence().requests, 0);
});
