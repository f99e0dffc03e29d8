/** What is left out of every recording, and how it is said. */
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

test("URLs lose users, fragments and private values; times are in tenths", () => {
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
    "headers that change no load: server (2)",
  ]);
});

test("a URL's query is kept if that is wanted; its user name and password are always removed", () => {
  const { url, leftOut } = cleaned(seenOf(exchange("https://u:p@a.test/?sid=1")), true);
  assert.equal(url, "https://a.test/?sid=1");
  assert.deepEqual(leftOut, ["GET https://a.test/late?sid=1: refused"]);
});

test("exchanges that no recording can have are listed", () => {
  const long = `https://a.test/${"x".repeat(20_000)}`;
  const odd = [exchange("https://a.test/", { status: 999 }), exchange(long), exchange('https://a";b.test/')];
  const { exchanges, leftOut } = cleaned(seenOf(...odd), false);
  assert.deepEqual(exchanges, []);
  assert.deepEqual(leftOut.slice(1), [
    "GET https://a.test/: status 999, which ends no response of HTTP",
    `GET ${long.slice(0, 200)}: a URL of 20015 letters`,
    'GET https://a";b.test/: its host is not a name that a server can have',
  ]);
});
