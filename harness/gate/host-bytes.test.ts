import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import type { Evidence } from "../../schema/evidence.ts";
import { keptHosts } from "../../sites/kept-pages.ts";
import { good } from "../judge/load/sample-load.fixture.ts";
import { hostBytesOf } from "./host-bytes.ts";

const load = (bytes: Record<string, number>): Evidence => {
  const [first] = good.connections;
  const requests = Object.entries(bytes).map(([path, one]) => ({ ...first!.requests[0]!, path, bytes: one }));
  return { ...good, connections: [{ ...first!, requests }] };
};
const hosts = { "/": 1, "cdn.example.com/": 2, "img/": 3, "logo.png": 3, "img/own.png": 1 };

test("the bytes of a file count for the host that has the longest matching path in page.yml", () => {
  const evidence = [
    load({ "/": 1000, "/cdn.example.com/a.js": 300, "/img/a%20b.png": 50, "/logo.png": 7, "/img/own.png": 1 }),
  ];
  assert.deepEqual(hostBytesOf(null, { hosts, evidence }), [
    { host: null, beforeBytes: null, afterBytes: 1001 },
    { host: "cdn.example.com", beforeBytes: null, afterBytes: 300 },
    { host: "img, logo.png", beforeBytes: null, afterBytes: 57 },
  ]);
});

test("the list has the hosts of both pages, and each host's bytes: the median over the loads of each page", () => {
  const before = { hosts: {}, evidence: [load({ "/": 1000, "/a.js": 300 })] };
  const after = {
    hosts: { "/": 1, "cdn.example.com/": 2 },
    evidence: [200, 300, 500].map((bytes) => load({ "/": 1000, "/cdn.example.com/a.js": bytes })),
  };
  assert.deepEqual(hostBytesOf(before, after), [
    { host: null, beforeBytes: 1300, afterBytes: 1000 },
    { host: "cdn.example.com", beforeBytes: 0, afterBytes: 300 },
  ]);
});

test("the list of bytes by host is empty for a page with one host", () => {
  assert.deepEqual(hostBytesOf(null, { hosts: {}, evidence: [load({ "/": 1000, "/a.js": 300 })] }), []);
});

test("hosts are read from page.yml in the run's copy of the page; without this file, the result is empty", () => {
  const run = mkdtempSync(`${tmpdir()}/lab-host-bytes-`);
  try {
    const name = "page-0123456789ab";
    mkdirSync(`${run}/pages/${name}`, { recursive: true });
    assert.deepEqual(keptHosts(run, name), {});
    writeFileSync(`${run}/pages/${name}/page.yml`, "hosts: {/: 1, cdn.example.com/: 2}");
    assert.deepEqual(keptHosts(run, name), { "/": 1, "cdn.example.com/": 2 });
    assert.deepEqual(keptHosts(run, "../../elsewhere"), {});
  } finally {
    rmSync(run, { recursive: true });
  }
});
