import assert from "node:assert/strict";
import { test } from "node:test";
import type { Settings } from "../../../schema/settings.ts";
import { conditions, registries } from "../../tables/synthetic-loads.fixture.ts";
import { connectQueue, jobSchema, queueName, refuseServer, versionDifferences } from "./queue.ts";

const versions = { guestRoot: "0123456789ab", kernelImage: "ba9876543210", labFiles: "00112233aabb" };

const jobOf = (news: object) => {
  const chunk = { kind: "loads", number: 0, calibrate: [], calibrations: {}, loads: [], timeoutMs: 1, registries };
  return { chunk: { ...chunk, ...news }, seed: 1, processingMs: 0.1 };
};
const paths = ["../../etc", "/etc", ".ssh", "a/b", "", "..", "a\nb"];

test("a job is refused if the name of a page, protocol, server or client in its registries or settings is a path", () => {
  assert.ok(jobSchema.safeParse(jobOf({})).success);
  for (const kind of ["pages", "protocols", "servers", "clients"] as const)
    for (const name of paths) {
      const named = { [name]: Object.values(registries[kind])[0]! };
      assert.ok(!jobSchema.safeParse(jobOf({ registries: { ...registries, [kind]: named } })).success, kind + name);
    }
  const [condition] = conditions();
  const places: ((settings: Settings, name: string) => void)[] = [
    ({ page }, name) => Object.assign(page, { name }),
    ({ page }, protocol) => Object.assign(page, { protocol }),
    ({ page }, document) => Object.assign(page, { document }),
    ({ server }, software) => Object.assign(server, { software }),
    ({ client }, software) => Object.assign(client, { software }),
  ];
  for (const [i, set] of places.entries())
    for (const name of ["../../etc", "/etc", ".ssh"]) {
      const copy = structuredClone(condition!);
      set(copy.settings, name);
      const loads = [{ block: 1, attempt: 1, condition: copy }];
      assert.ok(!jobSchema.safeParse(jobOf({ loads })).success, `${i} ${name}`);
    }
});

test("a job that asks a worker for captures is refused", () =>
  assert.ok(!jobSchema.safeParse(jobOf({ kind: "capture", conditions: [] })).success));

test("if a version differs, the queue's name differs, and versionDifferences says which version", () => {
  const other = { ...versions, kernelImage: "cccccccccccc" };
  assert.notEqual(queueName(versions), queueName(other));
  assert.deepEqual(versionDifferences(versions, other), ["kernelImage is ba9876543210 here and cccccccccccc there"]);
  assert.deepEqual(versionDifferences(versions, { ...versions }), []);
});

test("the error for an invalid queue address quotes it, and shows what an address looks like", async () => {
  for (const address of ["localhost:6379", "http://localhost", "redis", "redis://"])
    await assert.rejects(
      connectQueue(address, assert.fail),
      /is not an address of a queue; use redis:\/\/HOST:PORT/,
      address,
    );
});

const mistyped = [
  ...["redis:/:s3cret@host:6379", "redis//:s3cret@host", "redis:://:s3cret@host", "http://:s3cret@host", "s3cret@host"],
  ...["redis://:s3cret/s3cret@host", "redis://u:12#s3cret@host", "rdis://u:s3cret@host"],
  "redis://:s3cret",
];
for (const address of mistyped)
  test(`the error for the mistyped address ${address} does not contain its password`, () =>
    assert.rejects(connectQueue(address, assert.fail), (error: Error) => {
      assert.match(error.message, /is not an address of a queue|in a password/);
      return !/s3cret/.test(error.message + error.stack);
    }));

test("a Redis server that is too old, or that drops entries when its memory is full, is refused; the message says what to do", () => {
  const server = (version: string, policy = "noeviction") =>
    refuseServer("redis://host", `# Server\r\nredis_version:${version}\r\n# Memory\r\nmaxmemory_policy:${policy}\r\n`);
  for (const version of ["6.2.0", "7.0.15", "7.2.4", "10.0.0"]) server(version);
  assert.throws(() => server("5.0.14"), /redis:\/\/host: it has version 5\.0\.14; use Valkey, or Redis 6\.2 or later/);
  assert.throws(
    () => server("7.0.15", "allkeys-lru"),
    /maxmemory-policy allkeys-lru\); set maxmemory-policy noeviction/,
  );
});
