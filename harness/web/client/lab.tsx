/** The machine and software that the run was made on, its links as configured and as measured, and the result of `./lab verify`. */
import type { ComponentChildren } from "preact";
import type { ReportView } from "../build.ts";
import type { LabView, Listed } from "../data/lab-view.ts";
import type { RunView } from "../data/run-view.ts";
import { load, useLoaded } from "./data.ts";
import { figure, whole } from "./format.ts";
import { List, number, text } from "./list.tsx";

export function Lab({ report }: { report: ReportView }) {
  return (
    <>
      <h1>The lab itself</h1>
      {report.runs.map((run, place) => (
        <RunsLab key={run.folder} run={run} place={place} report={report} />
      ))}
    </>
  );
}

function RunsLab({ run, place, report }: { run: RunView; place: number; report: ReportView }) {
  const lab = useLoaded(`${place}`, report, () => load(`${place}/lab`));
  if (!lab) return <p class="reading">Reading…</p>;
  return (
    <>
      <section class="panel">
        <h2>{run.folder}</h2>
        <p class={run.valid ? "verdict good" : "verdict"}>{run.verdict}</p>
        {run.digest && (
          <p>
            Digest of the run's lines: <code>{run.digest}</code>
          </p>
        )}
        {lab.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        <Facts facts={lab.run} />
      </section>
      <Links lab={lab} />
      <Proofs lab={lab} />
      <Grounds lab={lab} />
      <Troubles lab={lab} />
    </>
  );
}

const Facts = ({ facts }: { facts: [string, string][] }) => (
  <table class="list facts">
    <tbody>
      {facts.map(([what, value]) => (
        <tr key={what}>
          <th scope="row">{what}</th>
          <td>{value}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Panel = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="panel">
    <h2>{title}</h2>
    {children}
  </section>
);

function Links({ lab: { links } }: { lab: LabView }) {
  const [first] = links;
  if (!first) return null;
  const rows = links.map(({ link, figures, deviations, attempts }) => ({
    key: link,
    cells: [
      <>
        {link}
        {deviations.map((words) => (
          <div key={words} class="bad">
            {words}
          </div>
        ))}
      </>,
      ...figures.map(({ what, configured, measured }) => (
        <span key={what}>
          <span class="quiet">{figure(configured)} →</span> {figure(measured)}
        </span>
      )),
      `${attempts}×`,
    ],
  }));
  const figures = first.figures.map(({ what, unit }) => number(`${what}, ${unit}`));
  return (
    <Panel title="Links: configured → measured">
      <List columns={[text("link"), ...figures, number("measured")]} rows={rows} />
    </Panel>
  );
}

const Proofs = ({ lab: { proof } }: { lab: LabView }) => (
  <Panel title="In how many loads the evidence confirms each axis">
    <List
      columns={[text("axis"), number("confirmed"), number("inconclusive"), number("not observable"), text("because")]}
      rows={proof.map(({ axis, confirmed, inconclusive, notObservable, because }) => ({
        key: axis,
        cells: [axis, confirmed, inconclusive, notObservable, because.join("; ")],
      }))}
    />
  </Panel>
);

function Grounds({ lab: { lanes, sysctls } }: { lab: LabView }) {
  return (
    <Panel title="Machines and software">
      {lanes.map(({ lanes: numbers, facts }) => (
        <div key={numbers.join()}>
          <h3>
            {numbers.length === 1 ? "Lane" : `${numbers.length} lanes:`} {numbers.join(", ")}
          </h3>
          <Facts facts={facts} />
        </div>
      ))}
      {sysctls.length > 0 && (
        <details>
          <summary>TCP's settings (sysctl)</summary>
          <Facts facts={sysctls} />
        </details>
      )}
    </Panel>
  );
}

function Troubles({ lab: { invalid, flagged, failed } }: { lab: LabView }) {
  const lists: [string, Listed][] = [
    ["Invalid", invalid],
    ["Flagged", flagged],
    ["Failed attempts", failed],
  ];
  return lists.map(
    ([title, { total, first }]) =>
      total > 0 && (
        <Panel key={title} title={`${title}: ${whole(total)}`}>
          <ul>
            {first.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {total > first.length && (
            <p class="quiet">and {whole(total - first.length)} more: ./lab verify --json lists all</p>
          )}
        </Panel>
      ),
  );
}
