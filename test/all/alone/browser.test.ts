/** What a lane on the real clock prints about loads by Chromium, and about loads that must fail. ../combinations.test.ts loads more combinations. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { after, type TestContext, test } from "node:test";
import { readRegistries, usedBy } from "../../../axes/registries.ts";
import { conditionsOf } from "../../../harness/plan/conditions.ts";
import { type Chunk, chunkSchema, type LaneMessage, laneMessageSchema } from "../../../schema/lane-messages.ts";
import type { AxisValue, Condition } from "../../../schema/plan.ts";
import type { LoadRecord } from "../../../schema/records.ts";
import { onHarnessHost } from "../../lab.ts";
import { again, busyReasons } from "../../retry.ts";

const folder = mkdtempSync("/tmp/browser-test-");
after(() => rmSync(folder, { recursive: true }));

const registries = readRegistries();
const asked = { link: ["20x2-20ms-0%"], initcwnd: [10], server: ["nginx"], congestion: ["cubic"] };
const conditionsWith = (axes: Record<string, AxisValue[]>) => conditionsOf({ axes: { ...asked, ...axes } }, registries);

async function lane(conditions: Condition[], timeoutMs = 60_000): Promise<LaneMessage[]> {
  const chunkFile = `${folder}/chunk.json`;
  const chunk: Chunk = {
    kind: "loads",
    number: 0,
    calibrate: [],
    calibrations: {},
    loads: conditions.map((condition) => ({ block: 1, attempt: 1, condition })),
    registries: usedBy(conditions, registries),
    timeoutMs,
  };
  writeFileSync(chunkFile, JSON.stringify(chunkSchema.parse(chunk)));
  const lines = await onHarnessHost("harness/lane/lane.ts", chunkFile);
  return lines.map((line) => laneMessageSchema.parse(JSON.parse(line)));
}

/** Makes loads of these conditions in a lane. Loads that failed because the machine was busy are replaced by loads of later lanes. */
async function lanes(t: TestContext, conditions: Condition[], timeoutMs?: number): Promise<LaneMessage[]> {
  let left = conditions;
  let messages: LaneMessage[] = [];
  await again(
    t,
    async (before) => {
      const said = await lane(left, timeoutMs);
      const newer = new Map(loadsOf(said).map((load) => [load.condition, load]));
      messages = before
        ? messages.map((one) =>
            one.kind === "load" ? { ...one, load: newer.get(one.load.condition) ?? one.load } : one,
          )
        : said;
      const busy = loadsOf(messages).filter((load) => busyReasons([load]).length > 0);
      left = conditions.filter(({ id }) => busy.some(({ condition }) => condition === id));
    },
    () => busyReasons(loadsOf(messages)),
  );
  return messages;
}

const loadsOf = (messages: LaneMessage[]): LoadRecord[] =>
  messages.flatMap((message) => (message.kind === "load" ? [message.load] : []));

test(
  "page B loads over HTTP/1.1 and HTTP/2, from nginx and from Node.js, from one host and from four; HTTP/2 uses one connection to each host",
  { timeout: 900_000 },
  async (t) => {
    const varied = { page: ["B"], servers: [1, 4], protocol: ["h1", "h2"], server: ["nginx", "node"] };
    const messages = await lanes(t, conditionsWith(varied));
    const loads = loadsOf(messages);
    assert.deepEqual(
      loads.flatMap((load) => (load.ok ? [] : [`${load.condition}: ${load.reason}`])),
      [],
    );
    assert.equal(new Set(loads.map(({ condition }) => condition)).size, 8);
    assert.equal(loads.length, 8);
    for (const load of loads) {
      const { protocol, servers, evidence }: LoadRecord & Record<string, unknown> = load;
      const hosts = evidence?.connections.map(({ host }) => host) ?? [];
      assert.equal(new Set(hosts).size, servers);
      if (protocol === "h2") assert.equal(hosts.length, servers);
    }
    const [first] = messages;
    assert.ok(first?.kind === "lane");
    assert.equal(first.lane.sysctls.tcp_no_metrics_save, "1");
    assert.match(first.lane.versions.nginx ?? "", /nginx\/\d/);
  },
);

test(
  "a load that takes too long fails with that reason, and the next load succeeds",
  {
    timeout: 600_000,
  },
  async (t) => {
    const links = ["3GFast", "20x2-20ms-0%"];
    const conditions = conditionsWith({ link: links, page: ["C"], servers: [1], protocol: ["h2"] });
    const [slow, quick] = loadsOf(await lanes(t, conditions, 10_000));
    assert.ok(slow && !slow.ok);
    assert.equal(slow.reason, "timeout: not loaded after 10 s");
    assert.ok(quick);
    assert.equal(quick.ok || quick.reason, true);
  },
);

test("a load with unknown server software fails; the reason names the software", { timeout: 60_000 }, async () => {
  const [{ settings, ...condition }] = conditionsWith({ page: ["A"], servers: [1], protocol: ["h1"] }) as [Condition];
  const impossible = { ...condition, settings: { ...settings, server: { ...settings.server, software: "iis" } } };
  const [load] = loadsOf(await lane([impossible]));
  assert.ok(load && !load.ok);
  assert.match(load.reason, /unknown server "iis"; known: /);
});

test("packets show the configured initial window: 3 or 10 segments", { timeout: 600_000 }, async (t) => {
  const link = ["10x1-100ms-0%"];
  const conditions = conditionsWith({ link, initcwnd: [3, 10], page: ["C"], servers: [1], protocol: ["h2"] });
  const seen = loadsOf(await lanes(t, conditions)).map(({ evidence }) => evidence!.packets.flows[0]!.server!.initcwnd!);
  // Packets show a lower and an upper bound of the window. One bound equals the window: which one depends on where the responses' segments end.
  [3, 10].forEach((window, i) => {
    const { atLeast, atMost } = seen[i]!;
    assert.ok(atLeast <= window && atMost !== null && atMost >= window, `${window}: ${atLeast} to ${atMost}`);
    assert.ok(atLeast === window || atMost === window, `${window}: ${atLeast} to ${atMost}`);
  });
});
