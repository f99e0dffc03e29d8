/** Two runs, condition by condition, the most different first. */
import type { BesideView, RunView } from "../data/model.ts";
import { range } from "./format.ts";
import { List, number, text } from "./list.tsx";
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
      <List
        columns={[text("condition"), number("second / first"), number("95% interval"), text("why")]}
        rows={ordered.slice(0, shown).map(({ id, conditions: [a, b], ratio, interval, reason }) => ({
          key: id,
          cells: [
            <a key={id} href={linkTo("compare", { a: conditionKey(0, a), b: conditionKey(1, b) })}>
              {id}
            </a>,
            ratio.toFixed(3),
            interval ? range(interval) : "–",
            reason,
          ],
        }))}
      />
      {ordered.length > shown && <p class="quiet">and {ordered.length - shown} that differ less</p>}
    </section>
  );
}
