import assert from "node:assert/strict";
import { test } from "node:test";
import { leavesOf, mergePatches, type Patch } from "./settings.ts";
import { usualTls } from "./tls.ts";

const whole: Patch = {
  link: { downMbps: 10, upMbps: 1, rttMs: 20, lossPercent: 0, queuePackets: 50 },
  route: { client: { congestion: "cubic" }, server: { congestion: "cubic" } },
  server: { software: "nginx", tls: usualTls },
  client: { software: "chromium", sysctls: {} },
  page: { name: "A", hosts: 1, protocol: "h1" },
};

test("patches are merged leaf by leaf, and the patches themselves do not change", () => {
  const window: Patch = { route: { server: { initcwnd: 3 } } };
  const merged = mergePatches([
    ["all", whole],
    ["initcwnd", window],
    ["initrwnd", { route: { client: { initrwnd: 9 } }, client: { sysctls: { "net.ipv4.tcp_rmem": "1 2 3" } } }],
  ]);
  assert.deepEqual(merged.route, {
    client: { congestion: "cubic", initrwnd: 9 },
    server: { congestion: "cubic", initcwnd: 3 },
  });
  assert.deepEqual(merged.client.sysctls, { "net.ipv4.tcp_rmem": "1 2 3" });
  assert.deepEqual(whole.client?.sysctls, {});
  assert.deepEqual([...leavesOf(window)], [["route.server.initcwnd", 3]]);
});

test("if two axes set the same path to different values, the error names both; setting the same value twice is no conflict", () => {
  const conflict: Patch = { page: { name: "B" } };
  assert.throws(
    () =>
      mergePatches([
        ["page", whole],
        ["mine", conflict],
      ]),
    /page\.name is set to A by page and to B by mine/,
  );
  assert.doesNotThrow(() =>
    mergePatches([
      ["page", whole],
      ["mine", { page: { name: "A" } }],
    ]),
  );
});

test("incomplete settings are refused", () => {
  const { server: _, ...without } = whole;
  assert.throws(() => mergePatches([["all", without]]), /server/);
});
