/** Tests what every recording leaves out, and the sentences about what is left out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cleaned } from "./clean-exchanges.ts";
import type { SeenExchange } from "./seen-exchange.ts";

const exchange = (url: string, more: Partial<SeenExchange> = {}): SeenExchange => ({
  method: "GET",
  url,
  sent: Buffer.alloc(0),
  status: 200,
  headers: [],
  body: Buffer.alloc(0),
  waitMs: 1.26,
  startMs: 0.04,
  ...more,
});
const seenOf = (...exchanges: SeenExchange[]) => ({
  url: "https://u:p@a.test/?sid=1#x",
  recordedAt: new Date(),
  recordedBy: "a test",
  exchanges,
  names: [],
  leftOut: ["GET https://a.test/late?sid=1: refused"],
});

test("URLs lose user names, fragments and private values; times are rounded to 0.1 ms", () => {
  const { url, exchanges, leftOut } = cleaned(
    seenOf(
      exchange("https://u:p@a.test/?sid=1#x", {
        headers: [
          ["Location", "/b?sid=1"],
          ["Set-Cookie", "a"],
          ["Server", "x"],
        ],
      }),
      exchange("https://a.test/b?sid=1", { headers: [["server", "x"]], waitMs: null }),
    ),
    false,
  );
  assert.equal(url, "https://a.test/?sid=hash-6b86b273ff");
  assert.equal(exchanges[0]?.url, url);
  assert.deepEqual(exchanges[0]?.headers, [["location", "/b?sid=hash-6b86b273ff"]]);
  assert.deepEqual([exchanges[0]?.waitMs, exchanges[0]?.startMs, exchanges[1]?.waitMs], [1.3, 0, null]);
  assert.deepEqual(leftOut, [
    "GET https://a.test/late?sid=hash-6b86b273ff: refused",
    "cookies that 1 response set",
    "values of query parameters, replaced by a hash: sid (3)",
    "headers that do not affect a load: server (2)",
  ]);
});

test("a URL keeps its query if keepsQueries is set, but always loses its user name and password", () => {
  const { url, leftOut } = cleaned(seenOf(exchange("https://u:p@a.test/?sid=1")), true);
  assert.equal(url, "https://a.test/?sid=1");
  assert.deepEqual(leftOut, ["GET https://a.test/late?sid=1: refused"]);
});

test("exchanges with an invalid status, URL or host are left out and listed", () => {
  const long = `https://a.test/${"x".repeat(20_000)}`;
  const odd = [exchange("https://a.test/", { status: 999 }), exchange(long), exchange('https://a";b.test/')];
  const { exchanges, leftOut } = cleaned(seenOf(...odd), false);
  assert.deepEqual(exchanges, []);
  assert.deepEqual(leftOut.slice(1), [
    "GET https://a.test/: status 999; HTTP allows 200 to 599 for final responses",
    `GET ${long.slice(0, 200)}: a URL of 20015 characters`,
    'GET https://a";b.test/: its host name is invalid',
  ]);
});
