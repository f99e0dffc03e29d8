import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries } from "../../axes/registries.ts";
import { planBlocks } from "./blocks.ts";
import { conditionsOf } from "./conditions.ts";
import { readExperiment } from "./experiment.ts";
import { replace, select } from "./select.ts";

const experiment = readExperiment("spdy-initcwnd");
const registries = readRegistries();
const conditions = conditionsOf(experiment, registries);
const ids = (block: number, blocks = 3, seed = 1) =>
  planBlocks(conditions, blocks, seed)
    .filter((load) => load.block === block)
    .map(({ condition }) => condition.id);

test("spdy-initcwnd has the paper's 288 conditions, 20 loads each", () => {
  assert.equal(conditions.length, 288);
  assert.equal(new Set(conditions.map(({ id }) => id)).size, 288);
  assert.equal(planBlocks(conditions, experiment.loads, 1).length, 5760);
});

test("each block has each condition once, and blocks have different orders", () => {
  const all = conditions.map(({ id }) => id).sort();
  for (const block of [1, 2, 3]) assert.deepEqual(ids(block).sort(), all);
  assert.notDeepEqual(ids(1), ids(2));
  assert.notDeepEqual(
    ids(1),
    conditions.map(({ id }) => id),
  );
});

test("a block's order depends on the seed and the block's number, not on how many blocks there are", () => {
  assert.deepEqual(ids(2, 3), ids(2, 20));
  assert.notDeepEqual(ids(1, 1, 1), ids(1, 1, 2));
});

test("--only selects conditions by an axis or by a part of the link; with several --only, a condition must match all", () => {
  assert.equal(select(conditions, []).length, 288);
  assert.equal(select(conditions, ["page=A"]).length, 96);
  assert.equal(select(conditions, ["page=A,B", "rtt=100ms", "loss=1%", "rate=10/1"]).length, 24);
  assert.equal(
    select(conditions, ["link=10x1-100ms-0%", "initcwnd=3", "protocol=h2", "servers=1", "page=C"])[0]?.id,
    "C/1s/10x1-100ms-0%/h2/iw3",
  );
});

test("--only refuses an unknown axis or value; the error quotes it, and lists the known axes or values", () => {
  assert.throws(() => select(conditions, ["colour=red"]), /unknown axis "colour"; known: page, document, servers/);
  assert.throws(() => select(conditions, ["page=A,Z"]), /unknown page "Z"; known: A, B, C/);
  assert.throws(() => select(conditions, ["rtt=50ms"]), /unknown rtt "50ms"; known: 20ms, 100ms/);
  assert.throws(() => select(conditions, ["rtt=50m"]), /"50m" is not a value like "100 ms"/);
  assert.deepEqual(
    select(conditions, ["rtt=20"]),
    select(conditions, ["rtt=20ms"]),
    "a number without a unit has the axis' unit",
  );
  assert.throws(() => select(conditions, ["page"]), /give one or more values, as in --only page=A/);
  assert.throws(() => select(conditions, ["rate=10/1", "link=20x2-20ms-0%"]), /no condition is left/);
});

const withAxes = (...replacements: string[]) => conditionsOf(replace(experiment, replacements), registries);

test("--with replaces an axis' values by other allowed values, and equal conditions are merged", () => {
  assert.equal(withAxes("initcwnd=3,10,32").length, 432);
  const other = withAxes("rtt=50ms,200ms", "initcwnd=32");
  assert.equal(other.length, 144);
  assert.deepEqual([...new Set(other.map(({ values }) => values.link))].slice(0, 2), ["10x1-50ms-0%", "10x1-200ms-0%"]);
  assert.equal(withAxes("rtt=20ms,100ms").length, 288);
  assert.deepEqual(new Set(withAxes("rtt=20ms,100ms").map(({ id }) => id)), new Set(conditions.map(({ id }) => id)));
});

test("--with link replaces all parts of the link; a condition's id leaves out values that are defaults", () => {
  assert.deepEqual(
    withAxes("link=10x1-20ms-0%", "page=A", "servers=1", "protocol=h2", "initcwnd=3", "server=nginx,node").map(
      ({ id }) => id,
    ),
    ["A/1s/10x1-20ms-0%/h2/iw3", "A/1s/10x1-20ms-0%/h2/iw3/node"],
  );
});

test("--with refuses unknown names, invalid values, and an axis that is given twice", () => {
  assert.throws(() => withAxes("colour=red"), /--with colour=red: unknown axis "colour"; known: page/);
  assert.throws(() => withAxes("page=Z"), /unknown page "Z"; known: A, B, C/);
  assert.throws(
    () => withAxes("initcwnd=0"),
    /--with initcwnd=0: "0" is neither a whole number from 1 to 1000 nor adaptive/,
  );
  assert.throws(() => withAxes("initcwnd=3", "initcwnd=4"), /--with initcwnd is given twice/);
  assert.throws(() => withAxes("loss=99%"), /"99%" is out of range; 0 to 50 is allowed/);
});

test("each row of `together` is combined with all values of the other axes; --with initcwnd=… removes initcwnd from the rows", () => {
  const { initcwnd: _, ...axes } = experiment.axes;
  const paired = {
    ...experiment,
    axes: { ...axes, page: ["A"], servers: [1], protocol: ["h2"] },
    together: [
      { initcwnd: 3, loss: 1 },
      { initcwnd: 32, loss: 2.5 },
    ],
  };
  const ids = conditionsOf(paired, registries).map(({ id }) => id);
  assert.equal(ids.length, 8);
  assert.ok(ids.includes("A/1s/10x1-20ms-1%/h2/iw3") && ids.includes("A/1s/10x1-20ms-2.5%/h2/iw32"));
  assert.equal(conditionsOf(replace(paired, ["initcwnd=3,10"]), registries).length, 16);
});

test("an axis without value and default, and a protocol that the server does not speak, are refused; the error names them", () => {
  const { page: _, protocol: __, ...axes } = experiment.axes;
  assert.throws(
    () => conditionsOf({ axes }, registries),
    /must name these axes, which have no default: page, protocol$/,
  );
  const silent = { ...registries, servers: { nginx: { header: "nginx", protocols: ["h1"] } } };
  assert.throws(() => conditionsOf(experiment, silent), /protocol h2: nginx does not speak h2; it speaks h1/);
});

test("a rate is refused if one of its directions is out of range or not a number", () => {
  const refused = (rate: string, message: RegExp) =>
    assert.throws(() => replace(experiment, [`rate=${rate}`]), message);
  refused("0/1", /"0" is out of range; 0.01 to 1000 is allowed/);
  refused("10/2000", /"2000" is out of range; 0.01 to 1000 is allowed/);
  refused("1.2.3/1", /1\.2\.3/);
  refused("10", /"10" is not a rate like "10\/1"/);
});

test("a run with both a browser and a client that is not a browser is refused", () => {
  const mixed = ["page=A", "protocol=h1c", "client=chromium,replay"];
  assert.throws(
    () => withAxes(...mixed),
    /client replay is not a browser, so its loads cannot be compared with those of chromium; make a run/,
  );
  assert.equal(
    withAxes("page=A", "servers=1", "link=10x1-20ms-0%", "protocol=h1c", "client=replay,pipelining").length,
    4,
  );
});

test("a value that a browser without DevTools cannot apply or report is refused; the error names the client and the allowed values", () => {
  const firefox = (...more: string[]) =>
    withAxes("page=A", "servers=1", "link=10x1-20ms-0%", "client=firefox", ...more);
  assert.equal(firefox("protocol=h1,h1c,h2", "initcwnd=10").length, 3);
  for (const [given, message] of [
    ["view=repeat", /WebDriver BiDi does not report what client firefox had in its cache; first is allowed/],
    ["handshake=resumed", /WebDriver BiDi cannot empty the cache of client firefox .*; full is allowed/],
    ["cpu=4x", /WebDriver BiDi cannot slow down pages in client firefox; 1x is allowed/],
  ] as const)
    assert.throws(() => firefox("protocol=h2", given), message);
  assert.throws(
    () => withAxes("page=A", "client=chromium,firefox"),
    /client firefox is timed by WebDriver BiDi .*, so its loads cannot be compared with those of chromium; make a run for each/,
  );
  const overQuic = ["protocol=h3", "server=caddy", "initcwnd=10"];
  assert.equal(firefox(...overQuic, "discovery=forced,alt-svc").length, 2);
  assert.throws(
    () => firefox(...overQuic, "discovery=remembered"),
    /WebDriver BiDi cannot empty the cache of client firefox .*; forced and alt-svc are allowed/,
  );
});
