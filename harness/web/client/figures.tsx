/** The experiment's figures as `./lab figures` draws them, with measured and published values and models' predictions. */
import type { ReportView } from "../build.ts";

export function Figures({ report }: { report: ReportView }) {
  return (
    <>
      <h1>Figures</h1>
      <div class="plots">
        {report.runs.flatMap(({ folder, figures }) =>
          figures.map(({ title, svg, csv }) => (
            <section key={svg} class="panel">
              {report.runs.length > 1 && <p class="quiet">{folder}</p>}
              <img src={svg} onLoad={widen} alt={`${title}: its numbers are in the CSV below`} />
              <p>
                <a href={svg} download>
                  SVG
                </a>{" "}
                <a href={csv} download>
                  CSV
                </a>
              </p>
            </section>
          )),
        )}
      </div>
    </>
  );
}

/** A figure with several panels gets the whole width. */
function widen({ currentTarget }: { currentTarget: HTMLImageElement }): void {
  if (currentTarget.naturalWidth > 900) currentTarget.parentElement!.classList.add("wide");
}
