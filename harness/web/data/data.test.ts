import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { columnsOf, type Trace } from "../../../schema/trace.ts";
import { blockRun } from "../../record/find-run.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import { openRun } from "../../record/run-folder.ts";
import { askedSentence, layoutOf, variedAxes } from "./asked.ts";
import { dataScript } from "./pack.ts";
import { steps } from "./steps.ts";
import { traceView } from "./trace-view.ts";

const { manifest } = openRun(blockRun);
const conditions = conditionsOfRun(manifest);

test("a data file contains all of the data, and nothing that a browser could interpret as HTML or script", () => {
  const data = { name: "</script><script>alert(1)</script>" };
  const script = dataScript("report", data);
  assert.match(script, /^lab\("report","[\w+/=]+"\)\n$/);
  const packed = /,"(.*)"/.exec(script)![1]!;
  assert.deepEqual(JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString()), data);
});

test("down and up rates that vary together are one axis, and RTT and loss, which vary independently, are separate axes", () => {
  assert.deepEqual(
    variedAxes(conditions, manifest.registries).map(({ name }) => name),
    ["page", "servers", "rate", "rtt", "loss", "protocol", "initcwnd"],
  );
  const fast = conditions.filter(({ values }) => values.down === 20);
  assert.deepEqual(
    variedAxes(fast, manifest.registries).map(({ name }) => name),
    ["page", "servers", "rtt", "loss", "protocol", "initcwnd"],
  );
});

test("a heat map has the link's axes as columns, and no axis that the comparisons change", () => {
  const layout = layoutOf(variedAxes(conditions, manifest.registries), manifest.experiment, conditions[0]!);
  assert.deepEqual(layout, { rows: ["page", "servers"], columns: ["rate", "rtt", "loss"] });
});

test("the run's question is one sentence that names both sides and the number of conditions", () => {
  const sentence = askedSentence(manifest, conditions, ["1", "2", "3"]);
  assert.match(
    sentence,
    /^How much faster do pages load with HTTP\/2 in place of HTTPS\/1\.1; with initcwnd 10 in place/,
  );
  assert.match(askedSentence(manifest, conditions, []), /^How long do pages take to load\? 288/);
  assert.match(sentence, /288 conditions of page × servers × rate × rtt × loss/);
});

test("data in flight is the data that the sender has sent, minus the data whose acknowledgment it has received", () => {
  const none = {
    frameBytes: 66,
    offset: 0,
    bytes: 0,
    acknowledged: 0,
    sackedTo: 0,
    window: 1000,
    syn: false,
    fin: false,
    reset: false,
    flags: 0,
  };
  const sent = (sentUs: number, arrivedUs: number | null, offset: number) => ({
    ...none,
    sentUs,
    arrivedUs,
    offset,
    bytes: 100,
    frameBytes: 166,
  });
  const down = columnsOf([sent(1000, 2000, 0), sent(1100, null, 100), sent(5000, 6000, 100)]);
  const up = columnsOf([{ ...none, sentUs: 2000, arrivedUs: 3000, acknowledged: 100, sackedTo: 100 }]);
  const trace: Trace = { firstRequestUs: 500, flows: [{ server: "s1", clientPort: 1, down, up }], quicFlows: [] };
  const [flow] = traceView(trace, null).flows;
  assert.deepEqual(flow!.flight, { at: [10, 11, 30, 50], bytes: [100, 200, 100, 100] });
  assert.deepEqual(flow!.window, { at: [30], bytes: [1000] });
  assert.deepEqual(flow!.arrivals, { at: [20, 60], bytes: [166, 166] });
  assert.deepEqual([flow!.lost, flow!.retransmitted], [[11], [50]]);
});

test("lists of whole numbers are packed as differences and unpacked without change; other values are not packed", () => {
  const data = { at: [5, 7, 7, 100, -1], one: [3], none: [], words: ["a", "b"], odd: [1.5, 2], deep: [[1, 2], [4]] };
  const text = JSON.stringify(data, (_, value) => steps.from(value));
  assert.match(text, /"at":\[5,2,0,93,-101\]/);
  assert.match(text, /"odd":\[1.5,2\]/);
  assert.deepEqual(
    JSON.parse(text, (_, value) => steps.back(value)),
    data,
  );
});
