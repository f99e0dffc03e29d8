/** Where the browser finds the files that it requests: in documents, frames, scripts, and files that scripts fetch. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestEvidence } from "../../schema/evidence.ts";
import { accountOf } from "./account.ts";
import { ask, loadOver, request, segment } from "./made-up-load.fixture.ts";

/** Explains a load of four consecutive requests. @param kind fields of the third request's evidence @returns the parts above 0 */
function partsWith(path: string, kind: Partial<RequestEvidence>) {
  const third = { ...request(path, 302, 302, 403), ...kind };
  const requests = [
    request("/", 0, 100, 201),
    request("/code.js", 201, 201, 302),
    third,
    request("/a.png", 403, 403, 504),
  ];
  const up = [ask(100), ask(201, 1), ask(302, 2), ask(403, 3)];
  const down = [segment(150, 201, 0), segment(251, 302, 1), segment(352, 403, 2), segment(453, 504, 3)];
  const { load, trace } = loadOver(504, requests, up, down);
  const account = accountOf(load, trace)!;
  return Object.fromEntries(Object.entries(account.parts).filter(([, ms]) => ms >= 0.01));
}

const followed = { connections: 100, propagation: 400, rate: 4 };

test("an image that a script finds in a fetched file waits for the fetch, although the load event does not wait for fetches", () =>
  assert.deepEqual(partsWith("/list", { initiator: "script", nonBlocking: true }), followed));

test("an image in a frame waits for the frame's document", () =>
  assert.deepEqual(partsWith("/frame", { mediaType: "text/html" }), followed));

test('a request does not wait for an earlier image, empty response or failed response, whose time then counts as "browser"', () => {
  const other = { connections: 100, propagation: 300, rate: 3, browser: 101 };
  assert.deepEqual(partsWith("/b.png", {}), other);
  assert.deepEqual(partsWith("/c.png", { initiator: "script" }), other, "also if a script inserted it");
  assert.deepEqual(partsWith("/collect", { initiator: "script", nonBlocking: true, bytes: 0 }), other, "a beacon");
  assert.deepEqual(partsWith("/d.png", { mediaType: "text/html", status: 404 }), other);
});

test("a request that is sent long after a fetched file arrived does not wait for this file", () => {
  const fetched = { ...request("/list", 201, 201, 302), initiator: "script" as const, nonBlocking: true as const };
  const requests = [request("/", 0, 100, 201), fetched, request("/a.png", 402, 402, 503)];
  const down = [segment(150, 201, 0), segment(251, 302, 1), segment(452, 503, 2)];
  const { load, trace } = loadOver(503, requests, [ask(100), ask(201, 1), ask(402, 2)], down);
  assert.equal(Math.round(accountOf(load, trace)!.parts.browser), 201, "the time since the document arrived");
});

test("a response with a script's media type counts as a script, whatever its URL is", () =>
  assert.deepEqual(partsWith("//tags.test/gtag/js?id=1", { mediaType: "application/javascript" }), followed));
