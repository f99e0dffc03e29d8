/** Two runs, condition by condition, the most different first. */
import type { BesideView, RunView } from "../data/model.ts";
import { range } from "./format.ts";
import { conditionKey, linkTo } from "./route.ts";

const shown = 300;

export function Beside({ runs, beside }: { runs: readonly RunView[]; beside: readonly BesideView[] }) {
  const ordered = beside.toSorted((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
  const close = beside.filter(({ ratio }) => Math.abs(ratio - 1) <= 0.02).length;
  return (
    <section class="panel">
      <h2>Both runs, condition by condition</h2>
      <p>
        {runs[1]!.folder} against {runs[0]!.folder}: {close} of {beside.length} medians within 2%.
      </p>
      <div class="scroller">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">condition</th>
              <th scope="col" class="number">
                second / first
              </th>
              <th scope="col" class="number">
                95% interval
              </th>
              <th scope="col">why</th>
            </tr>
          </thead>
          <tbody>
            {ordered.slice(0, shown).map(({ id, conditions: [a, b], ratio, interval, reason }) => (
              <tr key={id}>
                <th scope="row">
                  <a href={linkTo("compare", { a: conditionKey(0, a), b: conditionKey(1, b) })}>{id}</a>
                </th>
                <td class="number">{ratio.toFixed(3)}</td>
                <td class="number">{interval ? range(interval) : "–"}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {ordered.length > shown && <p class="quiet">and {ordered.length - shown} that differ less</p>}
    </section>
  );
}
