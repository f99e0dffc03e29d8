import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { withHeldClock } from "./held-still.ts";

test("withHeldClock makes clock and random numbers the same in each load; the clock advances, so a loop that waits for a later time ends", () => {
  const html = withHeldClock("<!doctype html><html><head><title>x</title>", "2026-11-28T12:00:00.000Z");
  assert.match(html, /^<!doctype html><html><head><script>/);
  assert.match(withHeldClock("words", "2026-11-28T12:00:00.000Z"), /^<script>.*<\/script>words$/s);
  const code = /<script>(.*)<\/script>/s.exec(html)![1]!;
  const run = () =>
    runInNewContext(
      `${code}; const from = Date.now(); let turns = 0; while (Date.now() < from + 100) turns++;
[from, turns, new Date().getTime(), new Date(5).getTime(), Math.random(), Math.random(), typeof Date(), new Date(2020, 1, 1) instanceof Date]`,
    ) as unknown[];
  const [from, turns, now, given, first, second, called, isDate] = run();
  assert.deepEqual([turns, given, called, isDate], [99, 5, "string", true]);
  assert.ok(Number(from) > Date.parse("2026-11-28T12:00:00Z") && Number(now) > Number(from));
  assert.ok(first !== second && Number(first) < 1);
  assert.equal(JSON.stringify(run()), JSON.stringify(run()));
});

test("crypto.randomUUID returns version 4 UUIDs in their usual form (RFC 9562)", () => {
  const code = /<script>(.*)<\/script>/s.exec(withHeldClock("", "2026-11-28T12:00:00.000Z"))![1]!;
  const uuids = runInNewContext(`${code}; Array.from({ length: 1000 }, () => crypto.randomUUID())`, { crypto: {} });
  for (const uuid of uuids as string[])
    assert.match(uuid, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  assert.equal(new Set(uuids as string[]).size, 1000);
});
