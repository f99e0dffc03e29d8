/** Real Chromium through the real lab: every page, server, protocol and number of hosts; and loads that must fail. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { LaneMessage } from "../harness/lane/chunk.ts";
import { conditionsOf } from "../harness/plan/experiment.ts";
import { run } from "../hosts/command.ts";
import type { Condition, LoadRecord } from "../schema/model.ts";
import { netns } from "../substrate/netns.ts";

const folder = mkdtempSync("/tmp/browser-test-");
after(() => rmSync(folder, { recursive: true }));
before(() => netns.open());

async function lane(conditions: Condition[], timeoutMs = 60_000): Promise<LaneMessage[]> {
  const chunkFile = `${folder}/chunk.json`;
  writeFileSync(
    chunkFile,
    JSON.stringify({
      calibrate: [],
      timeoutMs,
      loads: conditions.map((condition) => ({ block: 1, attempt: 1, condition })),
    }),
  );
  const output = await run(netns.commandInside("harness/lane/lane.ts", chunkFile));
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as LaneMessage);
}

const loadsOf = (messages: LaneMessage[]): LoadRecord[] =>
  messages.flatMap((message) => ("load" in message ? [message.load] : []));
const axes = { channel: ["20x2-20ms-0%"], initcwnd: [10], congestion: ["cubic" as const] };

test("every page over every protocol from every server and number of hosts", { timeout: 180_000 }, async () => {
  const conditions = conditionsOf({
    axes: { ...axes, page: ["A", "B", "C"], servers: [1, 2, 4], protocol: ["h1", "h2"], server: ["nginx", "node"] },
  });
  const messages = await lane(conditions);
  const loads = loadsOf(messages);
  assert.deepEqual(
    loads.flatMap((load) => (load.ok ? [] : [`${load.condition}: ${load.reason}`])),
    [],
  );
  assert.equal(loads.length, 36);
  for (const { protocol, servers, evidence } of loads) {
    const hosts = evidence?.connections.map(({ host }) => host) ?? [];
    assert.equal(new Set(hosts).size, servers);
    if (protocol === "h2") assert.equal(hosts.length, servers);
  }
  const [first] = messages;
  assert.ok(first && "environment" in first);
  assert.equal(first.environment.sysctls.tcp_no_metrics_save, "1");
  assert.match(first.environment.versions.nginx ?? "", /nginx\/\d/);
});

test(
  "a load that takes too long is a failure with its reason, and the next one is not disturbed",
  {
    timeout: 60_000,
  },
  async () => {
    const conditions = conditionsOf({
      axes: {
        ...axes,
        channel: ["10x1-100ms-0%", "20x2-20ms-0%"],
        page: ["C"],
        servers: [1],
        protocol: ["h2"],
        server: ["nginx"],
      },
    });
    const [slow, quick] = loadsOf(await lane(conditions, 2000));
    assert.ok(slow && !slow.ok);
    assert.equal(slow.reason, "timeout: not loaded after 2 s");
    assert.ok(quick?.ok);
  },
);

test("a server that is not there is a failure with its reason", { timeout: 60_000 }, async () => {
  const conditions = conditionsOf({
    axes: { ...axes, page: ["A"], servers: [1], protocol: ["h1"], server: ["apache"] },
  });
  const [load] = loadsOf(await lane(conditions));
  assert.ok(load && !load.ok);
  assert.match(load.reason, /there is no server "apache"/);
});

test("the initial window is seen in packets: the server stops at 3 or 10 segments", { timeout: 60_000 }, async () => {
  const conditions = conditionsOf({
    axes: {
      ...axes,
      channel: ["10x1-100ms-0%"],
      initcwnd: [3, 10],
      page: ["C"],
      servers: [1],
      protocol: ["h2"],
      server: ["nginx"],
    },
  });
  const stops = loadsOf(await lane(conditions)).map(
    ({ evidence }) => evidence?.packets?.flows[0]?.server?.initcwnd?.atMost,
  );
  assert.deepEqual(stops, [3, 10]);
});
