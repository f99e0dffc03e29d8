import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import Ajv from "ajv";
import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { recordedLoads } from "../judge/run/judged-loads.ts";
import { blockRun } from "../record/find-run.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { csvOf } from "../tables/csv.ts";
import { harOf } from "./har.ts";
import { rowsParquet } from "./parquet.ts";
import { columnsOf, rowsOf } from "./rows.ts";

const { folder, manifest } = openRun(blockRun);
const loads = [...recordedLoads(readSavedRun(folder, manifest))].slice(0, 5);
const good = loads.flatMap(({ record }) => {
  const load = record();
  return load.ok ? [load] : [];
});
const conditions = new Map(conditionsOfRun(manifest).map((condition) => [condition.id, condition]));
const options = { conditions, metric: manifest.experiment.metric, timeoutMs: manifest.timeoutSeconds * 1000 };
const rows = rowsOf(loads, options);
const columns = columnsOf(conditions);
const har = harOf(good, "1", () => "https");

const bytesOf = (file: Buffer) => file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;

test("the HAR file is valid by the JSON schema of HAR 1.2", () => {
  const files = createRequire(import.meta.url);
  const ajv = new Ajv({ allErrors: true });
  ajv.addMetaSchema(JSON.parse(readFileSync(files.resolve("ajv/lib/refs/json-schema-draft-06.json"), "utf8")));
  ajv.addSchema(Object.values(files("har-schema") as Record<string, object>));
  const valid = ajv.getSchema("har.json")!;
  assert.equal(valid(har), true, JSON.stringify(valid.errors?.slice(0, 3)));
});

test("each load is a page of the HAR file, and the phases of each request add up to the request's time", () => {
  assert.equal(har.log.pages.length, good.length);
  assert.equal(
    har.log.entries.length,
    good.reduce((sum, { evidence }) => sum + evidence.requests, 0),
  );
  for (const { time, timings } of har.log.entries) {
    const { blocked, connect, send, wait, receive } = timings;
    assert.ok([blocked, send, wait, receive].every((ms) => ms >= 0));
    assert.ok(Math.abs(time - (blocked + Math.max(0, connect) + send + wait + receive)) < 1e-6);
  }
  const last = Math.max(
    ...har.log.entries
      .filter(({ pageref }) => pageref === har.log.pages[0]!.id)
      .map(({ startedDateTime, time }) => Date.parse(startedDateTime) + time),
  );
  const end = Date.parse(har.log.pages[0]!.startedDateTime) + har.log.pages[0]!.pageTimings.onLoad;
  assert.ok(Math.abs(last - end) < 50, "the last request ends within 50 ms of the load event");
});

test("HAR entries have the additional fields of Chromium's developer tools, and the headers that the evidence records", () => {
  const [load] = good;
  const [first, ...others] = load!.evidence.connections;
  const [request, ...rest] = first!.requests;
  const asked = { ...request!, priority: "u=1, i", encoding: "br", initiator: "script" as const };
  const evidence = { ...load!.evidence, connections: [{ ...first!, requests: [asked, ...rest] }, ...others] };
  const { entries } = harOf([{ ...load!, evidence }], "1", () => "https").log;
  const entry = entries.find(({ request }) => request.headers.length > 0)!;
  assert.deepEqual(entry.request.headers, [{ name: "priority", value: "u=1, i" }]);
  assert.deepEqual(entry.response.headers, [{ name: "content-encoding", value: "br" }]);
  assert.deepEqual([entry._priority, entry._initiator.type], ["High", "script"]);
  assert.equal(entry.response._transferSize, asked.bytes);
  assert.ok(entries.every(({ _priority }) => _priority === undefined || _priority === "High"));
});

test("a CSV without loads has the same header as a CSV with loads, and no rows", () => {
  const [header = ""] = csvOf(rows, columns).split("\n");
  assert.match(header, /^condition,page,.*,reason,/);
  assert.equal(csvOf([], columns), `${header}\n`);
});

test("a CSV row has an attempt's condition, page load time and number of queue drops", () => {
  const [header = "", first = ""] = csvOf(rows, columns).split("\n");
  const row = Object.fromEntries(header.split(",").map((name, i) => [name, first.split(",")[i]]));
  const [load] = good;
  assert.equal(row.condition, load!.condition);
  assert.equal(Number(row.pageLoadMs), load!.pageLoadMs);
  assert.equal(
    Number(row.queueDrops),
    load!.evidence.link.down.queueDroppedPackets + load!.evidence.link.up.queueDroppedPackets,
  );
});

test("booleans are words in CSV; block numbers and numbers of servers are 32-bit integers in Parquet", async () => {
  const [header = "", first = ""] = csvOf(rows, columns).split("\n");
  const row = Object.fromEntries(header.split(",").map((name, i) => [name, first.split(",")[i]]));
  assert.deepEqual([row.ok, row.valid, row.counts], ["true", "true", "true"]);
  const file = rowsParquet(rows, columns);
  const { schema } = await parquetMetadataAsync(bytesOf(file));
  const typeOf = (column: string) => schema.find(({ name }) => name === column)?.type;
  assert.deepEqual(["block", "servers", "counts", "pageLoadMs"].map(typeOf), ["INT32", "INT32", "BOOLEAN", "DOUBLE"]);
});

test("the first attempt that measured a time counts as the load, even if the lane had refused this attempt", () => {
  const [load] = loads;
  const refused = { ...load!, attempt: 1, ok: false, valid: false, refused: true };
  const [one, two] = rowsOf([{ ...load!, attempt: 2 }, refused], options);
  assert.deepEqual([one!.counts, two!.counts], [false, true]);
  assert.equal(two!.pageLoadMs, load!.metrics.pageLoadMs);
});

test("a load that reached the time-out counts, and the lower bound of its page load time is the time-out", () => {
  const [load] = loads;
  const metrics = Object.fromEntries(Object.keys(load!.metrics).map((name) => [name, null]));
  const [row] = rowsOf([{ ...load!, ok: false, valid: false, observed: "longer", metrics }], options);
  assert.deepEqual([row!.counts, row!.pageLoadMs, row!.pageLoadMsAtLeast], [true, null, options.timeoutMs]);
  assert.equal(row!.queueDrops, null);
  assert.equal(rowsOf([load!], options)[0]!.pageLoadMsAtLeast, null);
});

test("an attempt that shows neither a page load time nor a lower bound does not count, and its row has neither", () => {
  const [row] = rowsOf([{ ...loads[0]!, ok: false, valid: false, observed: null }], options);
  assert.deepEqual([row!.counts, row!.pageLoadMs, row!.pageLoadMsAtLeast], [false, null, null]);
});

test("the Parquet file has the values of the CSV's rows, and a column without any value keeps its type", async () => {
  const file = rowsParquet(rows, columns);
  const bytes = bytesOf(file);
  const read = await parquetReadObjects({ file: bytes });
  assert.equal(read.length, rows.length);
  for (const [i, row] of rows.entries())
    for (const [name, value] of Object.entries(row)) assert.deepEqual(read[i]![name], value ?? null, name);
  const paint = (await parquetMetadataAsync(bytes)).schema.find(({ name }) => name === "largestContentfulPaintMs");
  assert.equal(paint?.type, "DOUBLE", "a column without any value keeps its type");
});

test("HAR entries of a recorded page have the site's URLs, and a redirect has its own times instead of the document's times", () => {
  const [load] = good;
  const { evidence } = load!;
  const [first] = evidence.connections;
  const asked = { ...first!.requests[0]!, bytes: 100 };
  const redirect = {
    ...asked,
    path: "//www.shop.test/",
    mediaType: "text/html",
    status: 302,
    startMs: 0,
    sentMs: 10,
    answeredMs: 110,
    endMs: 110,
  };
  const picture = {
    ...asked,
    path: "//cdn.shop.test:8443/a.png?v=2",
    startMs: 110,
    sentMs: 111,
    answeredMs: 220,
    endMs: 230,
  };
  const connections = [{ ...first!, requests: [redirect, picture] }];
  const { entries } = harOf([{ ...load!, evidence: { ...evidence, connections } }], "1", () => "https").log;
  assert.deepEqual(
    entries.map(({ request }) => request.url),
    ["https://www.shop.test/", "https://cdn.shop.test:8443/a.png?v=2"],
  );
  assert.equal(entries[0]!.timings.wait, 100);
  assert.deepEqual(
    entries.map(({ response }) => response.content.mimeType),
    ["text/html", "image/png"],
  );
});
