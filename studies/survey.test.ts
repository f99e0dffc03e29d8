import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesOf } from "../sites/har/har-entries.ts";
import { surveyOf } from "../sites/har/site-survey.ts";
import { surveyMarkdown } from "./survey.ts";

const entry = (host: string, startMs: number, more: object = {}, response: object = {}) => ({
  startedDateTime: new Date(1_700_000_000_000 + startMs).toISOString(),
  time: 100,
  request: { method: "GET", url: `https://${host}/${startMs}` },
  response: { status: 200, bodySize: 1000, headersSize: 200, ...response },
  ...more,
});
const page = [
  entry("site.example", 0, { timings: { connect: 90, ssl: 60 } }),
  entry("cdn.example", 200, { timings: { connect: 50, ssl: -1 } }),
  entry("cdn.example", 210, { timings: { connect: 100, ssl: 60 } }),
  entry("cdn.example", 2900, { timings: { connect: -1 } }, { _transferSize: 5000 }),
  { ...entry("x", 0), request: { method: "GET", url: "data:image/gif;base64," } },
];

const surveyed = (entries: object[]) => surveyOf(entriesOf({ log: { entries } }, "test.har").entries);

test("surveyOf returns a page's servers, resources, bytes and load time, and the RTTs and request shares of the busiest servers", () => {
  const [row, ...more] = surveyed(page);
  assert.deepEqual(more, []);
  assert.deepEqual(row, {
    name: "site.example",
    servers: 2,
    resources: 4,
    bytes: 3 * 1200 + 5000,
    loadSeconds: 3,
    topShares: [0.75, 1, 1, 1, 1],
    topRttMs: [40, 30],
  });
});

test("surveyOf returns a row for each page of a recording; a page without recorded times has no load time", () => {
  const second = { ...entry("other.example", 5000, { pageref: "page_2" }), time: null };
  const rows = surveyed([...page, second]);
  assert.deepEqual(
    rows.map(({ name, loadSeconds }) => [name, loadSeconds]),
    [
      ["site.example", 3],
      ["other.example", null],
    ],
  );
  const text = surveyMarkdown(rows);
  assert.match(text, /\| site\.example +\| +2 \| +4 \| +9 \| +3\.00 \| +75% \| +100% \|/);
  assert.match(text, /\| average +\| +2 \| +3 \| +5 \| +3\.00 \| +88% \|/);
  assert.match(text, /\| site\.example +\| +40 \| +30 \| +– \| +– \| +– \| +30 \| +35\.0 \| +40 \|/);
  assert.match(text, /\| other\.example \|( +– \|){8}/);
});

test("a page's load time ignores entries whose start or duration is missing, negative or invalid", () => {
  const timed = (time: unknown, startedDateTime?: unknown) =>
    surveyed([
      entry("a.test", 0),
      { ...entry("a.test", 400), time, ...(startedDateTime !== undefined && { startedDateTime }) },
    ])[0]?.loadSeconds;
  assert.equal(timed(50), 0.45);
  for (const time of [null, -1, "none"]) assert.equal(timed(time), 0.1);
  for (const start of [null, 1e300, -1]) assert.equal(timed(50, start), 0.1);
  assert.equal(surveyed([{ ...entry("a.test", 0), time: -1 }])[0]?.loadSeconds, null);
});

test("the RTT is the recorded time of the TCP handshake, or null if `connect` and `ssl` do not show this time", () => {
  const rtt = (url: string, timings: object, creator = "made") => {
    const one = { ...entry("x", 0, { timings }), request: { method: "GET", url } };
    return surveyOf(entriesOf({ log: { creator: { name: creator }, entries: [one] } }, "test.har").entries)[0]!
      .topRttMs[0];
  };
  assert.equal(rtt("https://a.test/", { connect: 90, ssl: 60 }), 30);
  for (const timings of [
    { connect: 10.03, ssl: 14.12 },
    { connect: 30, ssl: 30 },
    { connect: 30, ssl: -1 },
    { connect: 30 },
    {},
  ])
    assert.equal(rtt("https://a.test/", timings), null);
  assert.equal(rtt("http://a.test/", { connect: 30, ssl: 31 }), 30);
  assert.equal(rtt("https://a.test/", { connect: 30, ssl: 40 }, "mitmproxy exporthar"), 30);
});
