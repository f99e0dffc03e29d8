import assert from "node:assert/strict";
import { test } from "node:test";
import { learntAs, learntOf } from "../../axes/expected.ts";
import type { Evidence } from "../../schema/evidence.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { readRun } from "../record/records.ts";
import { faultsIn } from "./learn.ts";
import { notFoundIn, recordedBodies } from "./learnt-requests.ts";

test("notFoundIn lists 404 responses for files that the page has, and no others", () => {
  const files = new Set(["about/index.html", "a b.js"]);
  const answers: [path: string, status: number][] = [
    ["/about", 404],
    ["/about/", 200],
    ["/a%20b.js", 404],
    ["/imported/mine/2-h2/a%20b.js", 404],
    ["/gone.js", 404],
  ];
  const connections = [{ requests: answers.map(([path, status]) => ({ path, status })) }];
  assert.deepEqual(
    notFoundIn({ connections } as unknown as Evidence, (file) => files.has(file)),
    [
      { path: "/about", file: "about/index.html" },
      { path: "/a%20b.js", file: "a b.js" },
      { path: "/imported/mine/2-h2/a%20b.js", file: "a b.js" },
    ],
  );
});

test("faultsIn reports a response whose size differs from that of the learnt request, unless loss is configured", () => {
  const run = readRun("test/recorded-gate");
  const { manifest } = run;
  const [condition] = conditionsOfRun(manifest);
  const line = [...run.loads()].find((one) => "load" in one && one.load.condition === condition!.id && one.load.ok);
  if (!line || !("load" in line) || !line.load.ok)
    throw new Error("the recorded gate has no load of its first condition");
  const { registries } = manifest;
  const { values } = condition!;
  const requests = [...learntOf(values, registries)!];
  const faults = (learnt: typeof requests, lossPercent = 0) => {
    const { settings } = condition!;
    const given = { ...condition!, settings: { ...settings, link: { ...settings.link, lossPercent } } };
    const { evidence } = line.load as { evidence: Evidence };
    return faultsIn(evidence, { page: values.page, as: learntAs(values), requests: learnt }, given, registries).join(
      "; ",
    );
  };
  assert.equal(faults(requests), "");
  const larger = requests.map((one, i) => (i === 1 ? { ...one, bytes: one.bytes * 100 } : one));
  assert.match(faults(larger), /came with \d+ bytes instead of \d+/);
  assert.equal(faults(larger, 1), "");
});

test("a recorded page's body is found by path, status and content coding; if several match, the shortest is used", () => {
  const response = (path: string, status: number, bytes: number, method = "GET", headers: [string, string][] = []) => ({
    ...{ path, status, bytes, method, headers, serverMs: 0 },
  });
  const bodyOf = recordedBodies({
    hosts: [],
    responses: [
      response("//a/list?page=1", 200, 100),
      response("//a/list?page=2", 200, 200, "GET", [["content-encoding", "br"]]),
      response("//a/order", 204, 0, "OPTIONS"),
      response("//a/order", 201, 13, "POST"),
      response("//a/order", 201, 30, "POST"),
      response("//a/order", 201, 900, "POST", [["content-encoding", "zstd"]]),
    ],
  });
  assert.deepEqual(bodyOf("//a/list?page=2&r=5", 200, "br"), { bytes: 200, encoding: "br" });
  assert.deepEqual(bodyOf("//a/order", 201, undefined), { bytes: 13 });
  assert.deepEqual(bodyOf("//a/order", 201, "zstd"), { bytes: 900, encoding: "zstd" });
  assert.deepEqual(bodyOf("//a/order", 201, "gzip"), { bytes: 0 }, "the response was not recorded with this coding");
  assert.deepEqual(bodyOf("//a/order", 204, undefined), { bytes: 0 });
  assert.deepEqual(bodyOf("//a/unknown", 404, undefined), { bytes: 0 });
});
