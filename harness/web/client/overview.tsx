/** What was asked, how far it is, and what came out: each case as a heat map. */
import { useEffect, useState } from "preact/hooks";
import { spoken } from "../../../schema/spoken-time.ts";
import type { LiveView, ReportView, RunView } from "../data/model.ts";
import { CaseSection } from "./case-section.tsx";
import { Filters, filterOf } from "./filters.tsx";
import { conditionName, figure, whole } from "./format.ts";
import { List, number, text } from "./list.tsx";
import { conditionKey, linkTo, type Route } from "./route.ts";

export function Overview({ report, route }: { report: ReportView; route: Route }) {
  const run = report.runs[0]!;
  const filter = filterOf(run, route.params);
  return (
    <>
      <h1>{run.title}</h1>
      <p class="asked">{run.asked}</p>
      <Status run={run} live={report.live} />
      {run.cases.length === 0 ? <Conditions run={run} /> : <Filters run={run} route={route} />}
      <Key run={run} />
      {run.cases.map((one) => (
        <CaseSection key={one.id} run={run} one={one} filter={filter} route={route} />
      ))}
    </>
  );
}

/** Of a run that compares nothing: what there is of each condition. */
function Conditions({ run }: { run: RunView }) {
  return (
    <section class="panel">
      <p>This run has both sides of none of its experiment's cases. Of its conditions each leads to its loads:</p>
      <List
        columns={[text("condition"), number(`${run.metric}, median`), number("loads")]}
        rows={run.conditions.map((condition, place) => ({
          key: condition.id,
          cells: [
            <a key={condition.id} href={linkTo("compare", { a: conditionKey(0, place) })}>
              {conditionName(run, condition)}
            </a>,
            `${figure(condition.median)} ${run.unit}`,
            whole(condition.loads),
          ],
        }))}
      />
    </section>
  );
}

/** A load takes less, and so does measuring a link. */
const stillGoingMs = 120_000;

/** Of a run that is not whole: how long it will take, or since when it does not go on. */
function Going({ live }: { live: LiveView }) {
  const [nowMs, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  const restedMs = nowMs - live.grownAtMs;
  if (restedMs > stillGoingMs)
    return (
      <p>
        No load since {spoken(restedMs / 1000)}: stopped, it seems; <code>./lab run --resume</code> goes on
      </p>
    );
  return (
    <p>Going: {live.secondsLeft === null ? "time left not known yet" : `about ${spoken(live.secondsLeft)} left`}</p>
  );
}

function Status({ run, live }: { run: RunView; live: LiveView | null }) {
  const { loads, planned, blocks, failed, flagged, valid, verdict, noIntervals } = run;
  return (
    <section class="status" aria-label="How far the run is">
      <p class={valid ? "verdict good" : "verdict"}>
        <span aria-hidden="true">{valid ? "✓" : "◔"}</span> {verdict}
      </p>
      <p>
        <progress max={planned} value={loads} aria-label="Loads made" /> {whole(loads)} of {whole(planned)} loads, in{" "}
        {blocks} {blocks === 1 ? "block" : "blocks"}
        {failed > 0 && `; ${whole(failed)} failed ${failed === 1 ? "try" : "tries"}`}
        {flagged > 0 && `; ${whole(flagged)} flagged`}
      </p>
      {live && loads < planned && <Going live={live} />}
      {noIntervals && <p class="quiet">No intervals yet: {noIntervals}.</p>}
    </section>
  );
}

/** How a heat map is read. */
function Key({ run }: { run: RunView }) {
  if (run.cases.length === 0) return null;
  return (
    <p class="legend">
      <span>
        <i style={{ "--swatch": "var(--faster)" }} />
        faster with the change
      </span>
      <span>
        <i style={{ "--swatch": "var(--slower)" }} />
        slower
      </span>
      <span>
        each cell: how many times as fast, median {run.metric} without the change divided by that with it
        {run.noIntervals === null && ", and its 95% interval"}; click one for its loads
      </span>
      {run.publishedSource && <span>(1.2): as published in {run.publishedSource}</span>}
      {run.flagged > 0 && <span>‡ rests on loads that are invalid or flagged (./lab verify)</span>}
    </p>
  );
}
