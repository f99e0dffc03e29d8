/** A small table of a comparison's findings: for the values of one or two axes, whether the option is faster or slower, and why. */
import { parts } from "../../explain/parts.ts";
import type { ComparisonView } from "../data/comparison-views.ts";
import type { RunView } from "../data/run-view.ts";
import { type Finding, findingsOf, howOften, type Known, namedIn, separatingAxes, verdictWord } from "./findings.ts";
import { times } from "./format.ts";
import { colours } from "./heat-map.tsx";
import { partColour } from "./parts-bars.tsx";
import { linkTo, type Route } from "./route.ts";

interface Shown {
  run: RunView;
  one: ComparisonView;
  known: Known[];
  route: Route;
}

export function Findings({ run, one, known, route }: Shown) {
  const names = separatingAxes(run, known);
  if (names.length === 0) return null;
  const axes = names.map((name) => run.axes.find((axis) => axis.name === name)!);
  const findings = findingsOf(run, known, names);
  const has = (at: number, value: unknown) => findings.some(({ values }) => values[at] === value);
  const [rows, columns = [{ value: undefined, label: one.option, about: undefined }]] = axes.map(({ values }, at) =>
    values.filter(({ value }) => has(at, value)),
  );
  return (
    <div class="scroller">
      <table class="findings">
        <caption>
          Mean speedups by {names.join(" and ")}, which explain{names.length > 1 ? "" : "s"} most of the differences
        </caption>
        <thead>
          <tr>
            <td />
            {columns.map(({ value, label }) => (
              <th key={value} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows!.map((row) => (
            <tr key={row.value}>
              <th scope="row">
                <b>{row.label}</b>
                {row.about && <small>{row.about}</small>}
              </th>
              {columns.map(({ value }) => (
                <FindingCell
                  key={value}
                  down={(values) => narrowed(route, names, values)}
                  finding={findings.find(({ values }) => values[0] === row.value && values[1] === value)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Glossary findings={findings} one={one} />
    </div>
  );
}

/** Returns the overview's address with a filter for these values. */
function narrowed({ params }: Route, names: string[], values: Finding["values"]): string {
  const next = new URLSearchParams(params);
  for (const [at, name] of names.entries()) next.set(name, String(values[at]));
  return linkTo("", next);
}

interface Cell {
  finding: Finding | undefined;
  down(values: Finding["values"]): string;
}

function FindingCell({ finding, down }: Cell) {
  if (!finding) return <td class="empty">–</td>;
  const { mean, reasons, connections, values } = finding;
  return (
    <td {...colours(mean?.value ?? null)}>
      <a href={down(values)}>{verdictWord(finding)}</a>: {mean ? `${times(mean.value, mean.bound)} as fast ` : ""}
      <small>{howOften(finding)}</small>
      {reasons.map(({ name, more }) => (
        <span key={name} class="reason">
          <i style={{ "--swatch": partColour(name) }} />
          {more > 0 ? "+" : "−"}
          {Math.abs(100 * more).toFixed(0)}% {name}
        </span>
      ))}
      {connections && (
        <span class="reason">
          {connections[1]} {connections[1] === 1 ? "connection" : "connections"} in place of {connections[0]}
        </span>
      )}
    </td>
  );
}

function Glossary({ findings, one }: { findings: Finding[]; one: ComparisonView }) {
  const named = namedIn(findings);
  if (named.length === 0) return null;
  return (
    <dl class="glossary">
      <div>
        <dt>+ and − %</dt>
        <dd>
          time that {one.option} adds or saves, in percent of the page load time with {one.baseline}
        </dd>
      </div>
      {named.map((name) => (
        <div key={name}>
          <dt>
            <i style={{ "--swatch": partColour(name) }} />
            {name}
          </dt>
          <dd>{parts[name]}</dd>
        </div>
      ))}
    </dl>
  );
}
