/** The papers' numbers next to this run's, as `./lab score` prints them. */
import { useState } from "preact/hooks";
import { type Verdict, verdicts } from "../../claims/verdict.ts";
import type { ReportView } from "../build.ts";
import type { PublishedView } from "../data/published-view.ts";
import { load, useLoaded } from "./data.ts";
import { List, number, text } from "./list.tsx";

export function Published({ report }: { report: ReportView }) {
  return (
    <>
      <h1>Published, and measured here</h1>
      <p>
        A verdict compares the 95% interval with the range that the source allows: <em>holds</em> if the whole interval
        is inside the range, <em>does not hold</em> if it is all outside, else <em>cannot tell</em>. The range of a
        printed number is everything that rounds to it. A corrected verdict uses a wider interval, so that all verdicts
        together are right in 95% of runs.
      </p>
      {report.runs.map(
        (run, place) =>
          run.hasPublished && <OfRun key={run.folder} folder={run.folder} place={place} report={report} />,
      )}
    </>
  );
}

function OfRun({ folder, place, report }: { folder: string; place: number; report: ReportView }) {
  const [shown, setShown] = useState<Verdict | null>(null);
  const all = useLoaded(`${place}`, report, () => load(`${place}/published`));
  if (!all) return <p class="reading">Reading…</p>;
  const rows = all.filter(({ verdict }) => shown === null || verdict === shown);
  return (
    <section class="panel">
      <h2>{folder}</h2>
      <Tally rows={all} />
      <p class="filters">
        {[null, ...verdicts].map((verdict) => (
          <button
            key={verdict ?? "all"}
            type="button"
            aria-pressed={shown === verdict}
            onClick={() => setShown(verdict)}
          >
            {verdict ?? "all"}
          </button>
        ))}
      </p>
      <List
        columns={[text("what"), text("where"), number("published"), number("here"), text("verdict"), text("corrected")]}
        rows={rows.map(({ document, at, says, published, here, verdict, corrected }) => ({
          key: says,
          cells: [says, `${document}, ${at}`, published, here, verdict, corrected],
        }))}
      />
    </section>
  );
}

function Tally({ rows }: { rows: PublishedView }) {
  const count = (of: "verdict" | "corrected", verdict: Verdict) => rows.filter((row) => row[of] === verdict).length;
  return (
    <List
      columns={[text(`of ${rows.length} numbers`), ...verdicts.map(number)]}
      rows={(["verdict", "corrected"] as const).map((of) => ({
        key: of,
        cells: [of === "verdict" ? "by 95% intervals" : "corrected", ...verdicts.map((verdict) => count(of, verdict))],
      }))}
    />
  );
}
