/** A comparison's speedups as a heat map: a cell for each scenario, and margins with measured and published means. */

import { flaggedInWords } from "../../tables/format.ts";
import type { ComparisonView, Ends, SpeedupView } from "../data/comparison-views.ts";
import type { RunView } from "../data/run-view.ts";
import { valueIn } from "./filters.tsx";
import { average, labelOf, marked, range, times } from "./format.ts";
import { conditionKey, linkTo } from "./route.ts";

interface Line {
  /** For each axis, the label of the line's value. */
  labels: string[];
  places: number[];
}

export function HeatMap({ run, one, shown }: { run: RunView; one: ComparisonView; shown: SpeedupView[] }) {
  const placed = shown.map((speedup) => one.speedups.indexOf(speedup));
  const [rows, columns] = [linesOf(run, one, placed, run.rows), linesOf(run, one, placed, run.columns)];
  const both = rows.length > 1 && columns.length > 1;
  return (
    <div class="scroller">
      <table class="heat">
        <caption class="hidden">Speedup of {one.title} by scenario</caption>
        <Head run={run} columns={columns} />
        <tbody>
          {rows.map((row, y) => (
            <Row key={row.labels.join()} run={run} one={one} rows={rows} y={y} columns={columns} />
          ))}
          {rows.length > 1 && (
            <tr class="margin">
              <th colSpan={Math.max(1, run.rows.length)} scope="row">
                mean
              </th>
              {columns.map((column) => (
                <Mean key={column.labels.join()} one={one} places={column.places} />
              ))}
              {both && <Mean one={one} places={placed} />}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function Head({ run, columns }: { run: RunView; columns: Line[] }) {
  const levels = run.columns.length ? run.columns : [""];
  const corners = run.rows.length ? run.rows : [""];
  return (
    <thead>
      {levels.map((name, level) => (
        <tr key={name}>
          {level === 0 &&
            corners.map((row) => (
              <th key={row} rowSpan={levels.length} scope="col" class="corner">
                {row}
              </th>
            ))}
          {spansOf(columns, level).map(({ label, span }, i) => (
            <th key={`${i}`} colSpan={span} scope="colgroup">
              {label}
            </th>
          ))}
          {level === 0 && columns.length > 1 && (
            <th rowSpan={levels.length} class="margin" scope="col">
              mean
            </th>
          )}
        </tr>
      ))}
    </thead>
  );
}

interface RowOf {
  run: RunView;
  one: ComparisonView;
  rows: Line[];
  y: number;
  columns: Line[];
}

function Row({ run, one, rows, y, columns }: RowOf) {
  const row = rows[y]!;
  return (
    <tr>
      <RowHeads rows={rows} y={y} />
      {columns.map((column) => (
        <Cell
          key={column.labels.join()}
          run={run}
          one={one}
          places={row.places.filter((place) => column.places.includes(place))}
        />
      ))}
      {columns.length > 1 && <Mean one={one} places={row.places} />}
    </tr>
  );
}

/** Returns the combinations of values that occur on these axes, in the order of the axes' values. */
function linesOf(run: RunView, one: ComparisonView, places: number[], names: string[]): Line[] {
  const axes = names.map((name) => run.axes.find((axis) => axis.name === name)!);
  const lines = new Map<string, Line & { order: number[] }>();
  for (const place of places) {
    const values = names.map((name) => valueIn(run, one.speedups[place]!, name));
    const labels = axes.map((axis, i) => labelOf(axis, values[i]));
    const order = axes.map((axis, i) => axis.values.findIndex(({ value }) => value === values[i]));
    const line = lines.get(labels.join("\n")) ?? { labels, order, places: [] };
    line.places.push(place);
    lines.set(labels.join("\n"), line);
  }
  return [...lines.values()].sort((a, b) => compareOrders(a.order, b.order));
}

const compareOrders = (a: number[], b: number[]): number => {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : a[at]! - b[at]!;
};

/** Returns the headings for one axis. Each heading spans the columns with the same value of this axis and of all previous axes. */
function spansOf(lines: Line[], level: number): { label: string; span: number }[] {
  const spans: { key: string; label: string; span: number }[] = [];
  for (const { labels } of lines) {
    const key = labels.slice(0, level + 1).join("\n");
    const last = spans.at(-1);
    if (last?.key === key) last.span++;
    else spans.push({ key, label: labels[level] ?? "", span: 1 });
  }
  return spans;
}

function RowHeads({ rows, y }: { rows: Line[]; y: number }) {
  const { labels } = rows[y]!;
  const sameAs = (other: Line | undefined, level: number) =>
    other?.labels.slice(0, level + 1).join("\n") === labels.slice(0, level + 1).join("\n");
  if (labels.length === 0) return <th scope="row" />;
  return (
    <>
      {labels.map((label, level) => {
        if (sameAs(rows[y - 1], level)) return null;
        const span = rows.slice(y).findIndex((row) => !sameAs(row, level));
        return (
          <th key={`${level}`} scope="row" rowSpan={span < 0 ? rows.length - y : span}>
            {label}
          </th>
        );
      })}
    </>
  );
}

/** The strength of a speedup's colour, in percent: 75 for the speedups 2 and 1/2. */
const strength = (speedup: number): number => Math.min(100, 75 * Math.abs(Math.log2(speedup)));
export const colours = (speedup: number | null) =>
  speedup === null
    ? {}
    : { class: speedup >= 1 ? "faster" : "slower", style: { "--strength": `${strength(speedup).toFixed(0)}%` } };

const holdsOne = (interval: Ends | null) => interval !== null && interval.low <= 1 && (interval.high ?? Infinity) >= 1;

function Cell({ run, one, places }: { run: RunView; one: ComparisonView; places: number[] }) {
  const speedup = places.length === 1 ? one.speedups[places[0]!]! : null;
  if (!speedup || speedup.speedup === null) return <td class="empty">–</td>;
  const { class: tone = "", style } = colours(speedup.speedup);
  const words = `${times(speedup.speedup, speedup.bound)}${speedup.interval ? `, 95% interval ${range(speedup.interval)}` : ""}${speedup.flagged ? `, ${flaggedInWords(speedup.flagged)}` : ""}`;
  return (
    <td class={`${tone} ${holdsOne(speedup.interval) ? "unsure" : ""}`} style={style}>
      <a
        href={linkTo("compare", { a: conditionKey(0, speedup.baseline!), b: conditionKey(0, speedup.option!) })}
        title={`${run.conditions[speedup.option!]!.id}: ${words}; ${speedup.loads} loads`}
      >
        {marked(speedup.speedup, speedup.bound)}
        {speedup.flagged > 0 && <sup>‡</sup>}
        {speedup.interval && <small>{range(speedup.interval)}</small>}
      </a>
    </td>
  );
}

/** Shows these speedups' geometric mean. If a table's cell has exactly these scenarios, also shows the mean's interval and the published mean. */
function Mean({ one, places }: { one: ComparisonView; places: number[] }) {
  const mean = average(places.map((place) => one.speedups[place]!));
  if (!mean) return <td class="empty">–</td>;
  const key = places.toSorted((a, b) => a - b).join();
  const known = one.averages.filter(({ over }) => over.join() === key);
  const published = known.find((one) => one.published !== null)?.published;
  const interval = known.find((one) => one.interval)?.interval;
  const { class: tone = "", style } = colours(mean.value);
  return (
    <td class={`margin ${tone}`} style={style}>
      {marked(mean.value, mean.bound)}
      {interval && <small>{range(interval)}</small>}
      {published != null && <small title="published">({published.toFixed(1)})</small>}
    </td>
  );
}
