/** What the run was made on, its links asked and measured, and what verify says of it. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { LabView, Listed, ReportView, RunView } from "../data/model.ts";
import { load } from "./data.ts";
import { figure, whole } from "./format.ts";
import { Topology } from "./topology.tsx";

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
  const [lab, setLab] = useState<LabView | null>(null);
  useEffect(() => void load(`${place}/lab`).then(setLab), [place, report]);
  if (!lab) return <p class="reading">Reading…</p>;
  return (
    <>
      <section class="panel">
        <h2>{run.folder}</h2>
        <p class={run.valid ? "verdict good" : "verdict"}>{run.verdict}</p>
        {run.digest && (
          <p>
            Digest of its lines: <code>{run.digest}</code>
          </p>
        )}
        {lab.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        <Topology hosts={lab.hosts} />
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

/** What does not fit a phone's width is moved sideways in here, not the page. */
const Panel = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="panel">
    <h2>{title}</h2>
    <div class="scroller">{children}</div>
  </section>
);

function Links({ lab: { links } }: { lab: LabView }) {
  const [first] = links;
  if (!first) return null;
  return (
    <Panel title="Links: asked → measured">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">link</th>
            {first.figures.map(({ what, unit }) => (
              <th key={what} scope="col" class="number">
                {what}, {unit}
              </th>
            ))}
            <th scope="col" class="number">
              measured
            </th>
          </tr>
        </thead>
        <tbody>
          {links.map(({ link, figures, deviations, attempts }) => (
            <tr key={link}>
              <th scope="row">
                {link}
                {deviations.map((words) => (
                  <div key={words} class="bad">
                    {words}
                  </div>
                ))}
              </th>
              {figures.map(({ what, asked, measured }) => (
                <td key={what} class="number">
                  <span class="quiet">{figure(asked)} →</span> {figure(measured)}
                </td>
              ))}
              <td class="number">{attempts}×</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Proofs({ lab: { proof } }: { lab: LabView }) {
  return (
    <Panel title="In how many loads each axis showed what was asked for">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">axis</th>
            <th scope="col" class="number">
              shown
            </th>
            <th scope="col" class="number">
              hidden by chance
            </th>
            <th scope="col" class="number">
              cannot be seen
            </th>
            <th scope="col">because</th>
          </tr>
        </thead>
        <tbody>
          {proof.map(({ axis, confirmed, inconclusive, notObservable, because }) => (
            <tr key={axis}>
              <th scope="row">{axis}</th>
              <td class="number">{confirmed}</td>
              <td class="number">{inconclusive}</td>
              <td class="number">{notObservable}</td>
              <td>{because.join("; ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Grounds({ lab: { lanes, sysctls } }: { lab: LabView }) {
  return (
    <Panel title="What it ran on">
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
    ["Failed tries", failed],
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
            <p class="quiet">and {whole(total - first.length)} more: ./lab verify --json has all</p>
          )}
        </Panel>
      ),
  );
}
