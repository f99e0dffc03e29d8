/** The run's question, its progress, and its results: each comparison as a heat map. */
import { useEffect, useState } from "preact/hooks";
import { spoken } from "../../../schema/spoken-time.ts";
import { flaggedInWords } from "../../tables/format.ts";
import type { LiveView, ReportView } from "../build.ts";
import type { RunView } from "../data/run-view.ts";
import { ComparisonSection } from "./comparison-section.tsx";
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
      {run.comparisons.length === 0 ? <Conditions run={run} /> : <Filters run={run} route={route} />}
      <Key run={run} />
      {run.comparisons.map((one) => (
        <ComparisonSection key={one.id} run={run} one={one} filter={filter} route={route} />
      ))}
    </>
  );
}

function Conditions({ run }: { run: RunView }) {
  return (
    <section class="panel">
      <p>No condition in this run has a baseline, so there is nothing to compare. Each condition links to its loads:</p>
      <List
        columns={[text("condition"), number(`${run.metric}, median`), number("loads")]}
        rows={run.conditions.map((condition, place) => ({
          key: condition.id,
          cells: [
            <a key={condition.id} href={linkTo("compare", { a: conditionKey(0, place) })}>
              {conditionName(run, condition)}
            </a>,
            condition.neverEnded ? "never ended" : `${figure(condition.median)} ${run.unit}`,
            whole(condition.loads),
          ],
        }))}
      />
    </section>
  );
}

/** If no load was written for this long, the run seems to have stopped: a load and the measurement of a link take less time. */
const stillGoingMs = 120_000;

/** Shows the remaining time of an unfinished run, or for how long the run has made no load. */
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
        No load for {spoken(restedMs / 1000)}: the run seems to have stopped; <code>./lab run --resume</code> continues
        it
      </p>
    );
  return (
    <p>Running: {live.secondsLeft === null ? "time left not known yet" : `about ${spoken(live.secondsLeft)} left`}</p>
  );
}

function Status({ run, live }: { run: RunView; live: LiveView | null }) {
  const { loads, plannedLoads: planned, blocks, failed, flagged, valid, verdict, noIntervals } = run;
  return (
    <section class="status" aria-label="The run's progress">
      <p class={valid ? "verdict good" : "verdict"}>
        <span aria-hidden="true">{valid ? "✓" : "◔"}</span> {verdict}
      </p>
      <p>
        <progress max={planned} value={loads} aria-label="Loads made" /> {whole(loads)} of {whole(planned)} loads, in{" "}
        {blocks} {blocks === 1 ? "block" : "blocks"}
        {failed > 0 && `; ${whole(failed)} failed ${failed === 1 ? "attempt" : "attempts"}`}
        {flagged > 0 && `; ${flaggedInWords(whole(flagged))}`}
      </p>
      {live && loads < planned && <Going live={live} />}
      {noIntervals && <p class="quiet">No intervals yet: {noIntervals}.</p>}
    </section>
  );
}

/** Explains how to read a heat map. */
function Key({ run }: { run: RunView }) {
  if (run.comparisons.length === 0) return null;
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
        a cell is a speedup: median {run.metric} without the change, divided by the median with the change
        {run.noIntervals === null && ", with its 95% interval"}; click a cell for its loads. Means are geometric.
      </span>
      {run.publishedSource && <span>(1.2): mean published in {run.publishedSource}</span>}
      {run.flagged > 0 && <span>‡ some of the cell's loads are invalid or flagged (./lab verify lists them)</span>}
    </p>
  );
}
