import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import type { PageLoadModel } from "../../models/model.ts";
import { models } from "../../models/registry.ts";
import type { Values } from "../../schema/plan.ts";
import { comparisonsSchema } from "../plan/comparisons.ts";
import { figureProblems, figuresSchema } from "../plan/figures.ts";
import type { CountedLoad } from "../tables/counted.ts";
import type { GridTable } from "../tables/grid.ts";
import { buildTables } from "../tables/report.ts";
import {
  conditions,
  okLoad,
  paperExperiment,
  paperPublished,
  registries,
  run,
} from "../tables/synthetic-loads.fixture.ts";
import { buildFigures } from "./build.ts";
import { renderSvg } from "./chart.ts";
import type { Figure, FigurePoint } from "./figure.ts";
import { renderFigureCsv } from "./figure.ts";

const planned = conditions(paperExperiment.axes);
const facts = { clock: "virtual", conditions: planned, run: "test", registries } as const;
const timeMs = ({ page, protocol, rttMs, lossPercent }: Values, block: number) =>
  (1000 + 10 * Number(rttMs) * (protocol === "h1" ? 1 + Number(lossPercent) : 1)) * (page === "A" ? 1 : 2) +
  7 * ((block * 5) % 11);

function figure(spec: string, loads: CountedLoad[] = run(planned, 5, timeMs), more = {}): Figure {
  const specs = figuresSchema.parse(parse(`[{id: f, title: F, ${spec}}]`));
  return buildFigures(loads, paperExperiment, specs, paperPublished, { ...facts, ...more })[0]!;
}
const measured = ({ points }: Figure) => points.filter(({ source }) => source === "measured");
const at = (points: FigurePoint[], series: string, x: string | number) =>
  points.find((point) => point.series === series && point.x === x)!;

test("a figure of a table has the table's means, intervals and published means", () => {
  const loads = run(planned, 5, timeMs);
  const { tables } = buildTables(loads, paperExperiment, paperPublished, facts);
  const { rows } = tables.find(({ id }) => id === "6b") as GridTable;
  const cell = rows.find(({ key }) => key === "10/1")!.cells[0]!;
  const { points, publishedSource } = figure("table: 6b, x: rtt, series: rate", loads);
  const [ours, theirs] = points.filter(({ series, x }) => series === "rate 10/1" && x === 20);
  assert.equal(ours!.y, cell.ours!.geometricMean);
  assert.deepEqual({ low: ours!.low, high: ours!.high }, cell.ours!.interval);
  assert.equal(theirs!.source, "published");
  assert.equal(theirs!.y, cell.published!.mean);
  assert.equal(publishedSource, paperPublished.source);
});

test("a point is a condition's median time, or the time that an option saves, in ms or in percent", () => {
  const steady = run(planned, 5, (fields) => timeMs(fields, 11));
  const one = "where: {page: A, rate: 10/1, loss: 1 %, servers: 1, initcwnd: 3}";
  const value = measured(figure(`quantity: value, x: rtt, series: protocol, ${one}`, steady));
  assert.equal(at(value, "protocol h1", 100).y, 1000 + 10 * 100 * 2);
  assert.equal(at(value, "protocol h2", 100).y, 2000);
  assert.equal(
    at(measured(figure(`comparisons: [1], quantity: improvement, x: rtt, ${one}`, steady)), "", 100).y,
    1000,
  );
  const [percent] = measured(figure(`comparisons: [1], quantity: improvementPercent, x: rtt, ${one}`, steady)).slice(
    -1,
  );
  assert.ok(Math.abs(percent!.y! - 100 / 3) < 1e-9);
});

test("a number that is infinite, because loads took longer than the time-out, is not drawn, and the y axis fits the other points", () => {
  const slow = run(planned, 5, (values, block) => (values.rttMs === 100 ? Infinity : timeMs(values, block)));
  const drawn = figure("quantity: value, x: rtt, series: protocol", slow);
  const beyond = measured(drawn).map(({ x, y }) => `${x} ms: ${y === Infinity}`);
  assert.deepEqual([...new Set(beyond)], ["20 ms: false", "100 ms: true"]);
  assert.match(drawn.caption.join(" "), /Where only a lower bound is known, .* there is no point\./);
  assert.doesNotMatch(renderSvg(drawn), /NaN|Infinity/);
  assert.match(renderSvg(drawn), />2,000</);
});

test("a figure can show the mean or a quantile instead of the median; an unknown statistic is refused", () => {
  const loads = planned.flatMap((condition) =>
    [1, 2, 3, 4, 10].map((seconds, i) => okLoad(condition, 1000 * seconds, { block: i + 1 })),
  );
  const y = (statistic: string) => measured(figure(`quantity: value, statistic: ${statistic}, x: rtt`, loads))[0]!.y;
  assert.equal(y("median"), 3000);
  assert.equal(y("mean"), 4000);
  assert.equal(y("p90"), 4000 + 0.6 * 6000); // interpolated between the two nearest
  assert.throws(
    () => figure("statistic: mode, x: rtt"),
    /not a statistic; allowed are median, mean, geometric mean, and quantiles in percent such as p90/,
  );
});

test("if a comparison changes the property on a figure's x axis, the point is at the option's value", () => {
  const experiment = {
    ...paperExperiment,
    ...comparisonsSchema.parse(
      parse("{baseline: {initcwnd: 3}, comparisons: {10: {title: ten, option: {initcwnd: 10}}}}"),
    ),
    tables: [],
  };
  const specs = figuresSchema.parse([{ id: "f", title: "F", x: "initcwnd", series: "protocol" }]);
  const [drawn] = buildFigures(run(planned, 5, timeMs), experiment, specs, null, facts);
  assert.deepEqual(drawn!.series, ["protocol h1", "protocol h2"]);
  assert.deepEqual(drawn!.x.ticks, [{ value: 10, label: "10" }]);
});

test("a published point is drawn only if all scenarios of its mean are measured", () => {
  const part = planned.filter(({ values }) => values.page !== "C");
  const partial = figure("table: 6b, x: rtt, series: rate", run(part, 5, timeMs), { conditions: part, whole: planned });
  assert.deepEqual(partial.points, measured(partial));
});

test("a point without loads has the y value null, and with two blocks no point has an interval", () => {
  const drawn = figure("x: rtt, panels: page", run(planned.slice(0, 100), 2, timeMs));
  assert.ok(measured(drawn).some(({ y }) => y === null));
  assert.ok(measured(drawn).every(({ low }) => low === null));
  assert.match(drawn.caption.join(" "), /no intervals: 2 blocks are too few/);
  assert.match(renderSvg(drawn), /^<svg /);
});

test("a point without a number leaves a gap in its series' line", () => {
  const drawn = figure("quantity: value, x: rtt");
  const [first] = measured(drawn);
  const partsOfLine = (ys: (number | null)[]) => {
    const points = ys.map((y, i) => ({ ...first!, x: 20 * (i + 1), y }));
    return renderSvg({ ...drawn, points })
      .match(/ d="(M[\d.]+,[\d.]+L[^"]+)" stroke="#/)![1]!
      .match(/M/g)!.length;
  };
  assert.equal(partsOfLine([1, 2, 3, 4]), 1);
  assert.equal(partsOfLine([1, 2, null, 3, 4]), 2);
});

test("a figure without loads is drawn as empty axes", () =>
  assert.match(renderSvg(figure("x: rtt", [], { conditions: [] })), /^<svg .*Round-trip/s));

test("the SVG has units, a legend and a caption, and the same figure gives the same SVG", () => {
  const drawn = figure("table: 6a, x: rtt, series: rate, logarithmic: true");
  const svg = renderSvg(drawn);
  for (const word of [
    "(ms)",
    "rate 10/1",
    "measured here",
    "published (draft-white",
    "5 blocks, 1440 of 5760 loads; virtual clock",
  ])
    assert.ok(svg.includes(word), word);
  assert.equal(svg, renderSvg(drawn));
  assert.doesNotMatch(svg, /NaN|undefined|null/);
  const [header, ...lines] = renderFigureCsv(drawn).trim().split("\n");
  assert.match(header!, /^source,model,panel,series,x,y,low,high,scenarios,plannedScenarios,loads/);
  assert.equal(lines.length, drawn.points.length);
});

test("a model of whole page loads gets the protocol as an input, so it has a curve for each protocol", () => {
  const model: PageLoadModel = {
    name: "turns",
    title: "requests in turn",
    source: "this test",
    pageLoadMs({ protocol, requests, connectionsPerHost, rttMs, upMbps, queue }) {
      assert.deepEqual([connectionsPerHost, upMbps, queue.up.queuePackets], [6, 1, 50]);
      return (protocol.name === "h2" ? 1 : 2) * requests.length * rttMs;
    },
  };
  Object.assign(models, { turns: model });
  const where = "where: {rate: 10/1, loss: 0 %, servers: 1, page: A, initcwnd: 10}";
  const { points } = figure(`quantity: value, x: rtt, series: protocol, ${where}, models: [{name: turns}]`);
  const ends = points.flatMap(({ source, series, x, y }) =>
    source === "model" && x === 100 ? [`${series} ${y}`] : [],
  );
  const problemsOf = (...asked: object[]) => {
    const figures = figuresSchema.parse([{ id: "f", title: "F", x: "rtt", quantity: "value", models: asked }]);
    return figureProblems(paperExperiment, figures).map(({ message }) => message);
  };
  assert.deepEqual(problemsOf({ name: "turns" }, { name: "mathis", bytes: 1 }), []);
  assert.match(problemsOf({ name: "turns", bytes: 1 }).join(), /turns predicts whole page loads.*leave out bytes/);
  assert.match(problemsOf({ name: "mathis" }).join(), /mathis predicts one response: give its bytes/);
  assert.match(ends.toSorted().join(), /^[^,]*h1 200,[^,]*h2 100$/);
});

test("a model's curve has the settings of the measured points, and values of x between these points", () => {
  const one = "where: {rate: 10/1, loss: 0 %, servers: 1, page: A}, models: [{name: slow-start, bytes: 14480}]";
  const { points } = figure(`quantity: value, x: rtt, series: initcwnd, ${one}`);
  const curve = points.filter(({ source, series }) => source === "model" && series === "initcwnd 3");
  assert.equal(curve.length, 241);
  assert.deepEqual([curve[0]!.x, curve.at(-1)!.x], [20, 100]);
  // Ten segments take three round trips: the congestion window is 3, then 6, then 12 segments.
  assert.ok(Math.abs(curve.at(-1)!.y! - (300 + (14_480 * 8) / 10_000)) < 1e-9);
  const saved = figure(`quantity: improvement, comparisons: [2], x: rtt, ${one}`).points.filter(
    ({ source }) => source === "model",
  );
  assert.ok(Math.abs(saved.at(-1)!.y! - 200) < 1e-9);
});
