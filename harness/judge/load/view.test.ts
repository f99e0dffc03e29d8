/** Evidence of a client that visits a page for the second time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../../schema/evidence.ts";
import { connections, exceptOlder, flow, good, html, judge, packets } from "./sample-load.fixture.ts";

/** A repeated visit: the document was requested again and had not changed; everything else came from the cache. */
const kept = [{ host: "s2.lab", path: "/A/1.jpg", status: 200, caching: "max-age=31536000" }];
const revalidated: Partial<Evidence> = {
  requests: 1,
  fromCache: 1,
  receivedBytes: 100,
  connections: [{ ...connections[0]!, requests: [{ ...html, status: 304, bytes: 100 }] }],
  cached: kept,
  packets: {
    ...packets,
    requestToLastDataMs: 290,
    requestToLastAckMs: 291,
    flows: [flow("s1.lab", { initcwnd: { atLeast: 1, atMost: null } })],
  },
};
const repeat = (change: Partial<Evidence>) => judge({ ...revalidated, ...change }, { view: "repeat" });

test("in a repeat view, only the document may be requested, and everything else must come from the cache", () => {
  const { contradictions, notObservable } = repeat({});
  assert.deepEqual(contradictions, []);
  assert.deepEqual(exceptOlder(notObservable), ["initcwnd", "cpu"]);
  for (const [change, message] of [
    [
      { cached: [] },
      /1\.jpg did not come from the cache.*hosts s1\.lab instead of.*1 responses from a cache, 0 of them/s,
    ],
    [{ cached: [...kept, ...kept] }, /1\.jpg came from the cache, but must not/],
    [{ cached: [{ ...kept[0]!, caching: "" }] }, /its server's Cache-Control was ""/],
    [{ connections: good.connections, requests: 2 }, /2 requests instead of 1.*1\.jpg does not belong to the page/s],
  ] as const)
    assert.match(repeat(change as Partial<Evidence>).contradictions.join("; "), message);
  assert.match(judge(revalidated).contradictions.join("; "), /1 responses from a cache/);
  assert.match(judge({}, { view: "repeat" }).contradictions.join("; "), /nothing came from the cache/);
});
