/** Two conditions in numbers: medians of their metrics, and a list of their loads. */
import type { ConditionView, RunView } from "../data/run-view.ts";
import type { Side } from "./distributions.ts";
import { figure, milliseconds } from "./format.ts";
import { List, number, text } from "./list.tsx";
import { linkTo } from "./route.ts";

interface Compared {
  run: RunView;
  sides: [Side, Side];
  conditions: [ConditionView, ConditionView];
}

export function Medians({ run, sides, conditions }: Compared) {
  const shown = run.measures.filter(({ name }) => conditions.some(({ measures }) => measures[name] != null));
  return (
    <List
      columns={[text("medians of the valid loads"), ...sides.map(({ name }) => number(name))]}
      rows={[
        {
          key: run.metric,
          cells: [
            run.metric,
            ...conditions.map(
              ({ median, neverEnded }) => `${neverEnded ? "never ended" : `${figure(median)} ${run.unit}`}`,
            ),
          ],
        },
        ...shown.map(({ name, title, unit }) => ({
          key: name,
          cells: [title, ...conditions.map(({ measures }) => `${figure(measures[name])} ${unit}`)],
        })),
      ]}
    />
  );
}

export const Modes = ({ sides, conditions }: Omit<Compared, "run">) =>
  conditions.map(({ modes }, i) =>
    modes.length === 0 ? null : (
      <div key={sides[i]!.key} class="quiet">
        Load times of {sides[i]!.name} fall into a few separate groups, so hardly any load may take the median time:
        <ul>
          {modes.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </div>
    ),
  );

/** Lists the loads, including failed attempts, for readers who cannot use the plot. */
export function LoadList({ sides }: { sides: [Side, Side] }) {
  return (
    <details>
      <summary>All loads, with failed attempts and their reasons</summary>
      <div class="plots">
        {sides.map(({ key, name, loads }) => (
          <div key={key}>
            <h3>{name}</h3>
            <ul>
              {loads.slice(0, 200).map(({ block, attempt, ms, place, remark }) => (
                <li key={`${block}-${attempt}`}>
                  <a href={linkTo("load", { c: key, l: String(place) })}>
                    block {block}
                    {attempt > 1 && `, attempt ${attempt}`}
                  </a>{" "}
                  {ms !== null && milliseconds(ms)}
                  {remark?.reason && <span class="bad"> failed: {remark.reason}</span>}
                </li>
              ))}
            </ul>
            {loads.length > 200 && <p class="quiet">and {loads.length - 200} more</p>}
          </div>
        ))}
      </div>
    </details>
  );
}
