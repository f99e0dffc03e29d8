import assert from "node:assert/strict";
import { test } from "node:test";
import type { LaneMessage } from "../../../schema/lane-messages.ts";
import { registries } from "../../report/tables/synthetic-loads.ts";
import {
  connectQueue,
  jobSchema,
  packMessages,
  queueName,
  refuseServer,
  unpackMessages,
  versionDifferences,
} from "./queue.ts";

const versions = { guestRoot: "0123456789ab", kernelImage: "ba9876543210", labFiles: "00112233aabb" };

test("a lane's messages come back as they were, and others are refused", () => {
  const messages: LaneMessage[] = [
    { kind: "not learned", reason: "the page is gone" },
    { kind: "not learned", reason: "twice" },
  ];
  assert.deepEqual(unpackMessages(packMessages(messages)), messages);
  assert.deepEqual(unpackMessages(packMessages([])), []);
  assert.throws(() => unpackMessages(packMessages([{ kind: "run this" } as never])));
});

test("a job whose page would leave the folder of pages is refused", () => {
  const jobOf = (page: string) => {
    const pages = { [page]: Object.values(registries.pages)[0]! };
    const chunk = { kind: "loads", number: 0, calibrate: [], calibrations: {}, loads: [], timeoutMs: 1 };
    return { chunk: { ...chunk, registries: { ...registries, pages } }, seed: 1, processingMs: 0.1 };
  };
  assert.ok(jobSchema.safeParse(jobOf("my-page.2")).success);
  for (const page of ["../../etc", "/etc", ".ssh", "a/b", ""])
    assert.match(String(jobSchema.safeParse(jobOf(page)).error), /would leave the folder of pages/, page);
});

test("other versions have another queue, and their difference is named", () => {
  const other = { ...versions, kernelImage: "cccccccccccc" };
  assert.notEqual(queueName(versions), queueName(other));
  assert.deepEqual(versionDifferences(versions, other), ["kernelImage is ba9876543210 here and cccccccccccc there"]);
  assert.deepEqual(versionDifferences(versions, { ...versions }), []);
});

test("what is no address of a queue is named, and what an address looks like", async () => {
  for (const address of ["localhost:6379", "http://localhost", "redis"])
    await assert.rejects(connectQueue(address, assert.fail), /is no address of a queue; redis:\/\/HOST:PORT/, address);
});

test("a server that is too old, or would drop chunks, is refused with what to do", () => {
  const server = (version: string, policy = "noeviction") =>
    refuseServer("redis://host", `# Server\r\nredis_version:${version}\r\n# Memory\r\nmaxmemory_policy:${policy}\r\n`);
  for (const version of ["6.2.0", "7.0.15", "7.2.4", "10.0.0"]) server(version);
  assert.throws(
    () => server("5.0.14"),
    /redis:\/\/host: it is of version 5\.0\.14; take Valkey, or Redis 6\.2 or later/,
  );
  assert.throws(
    () => server("7.0.15", "allkeys-lru"),
    /maxmemory-policy allkeys-lru\); set maxmemory-policy noeviction/,
  );
});
