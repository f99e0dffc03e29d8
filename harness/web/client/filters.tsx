/** Selects which scenarios are shown, by the axes that no comparison changes. The selection is stored in the address of the report's page. */
import type { SpeedupView } from "../data/comparison-views.ts";
import type { RunView } from "../data/run-view.ts";
import { linkTo, type Route } from "./route.ts";

/** Axis -> the shown values, as text. For an axis without an entry, all values are shown. */
export type Filter = ReadonlyMap<string, ReadonlySet<string>>;

export const filterOf = ({ rows, columns }: RunView, params: URLSearchParams): Filter =>
  new Map(
    [...rows, ...columns].flatMap((name) => {
      const chosen = params.get(name);
      return chosen ? [[name, new Set(chosen.split(" "))] as const] : [];
    }),
  );

/** The value of an axis that both sides of a speedup share. */
export function valueIn(
  { conditions }: RunView,
  { baseline, option }: SpeedupView,
  axis: string,
): string | number | undefined {
  return conditions[baseline ?? option ?? -1]?.values[axis];
}

export const passes = (run: RunView, speedup: SpeedupView, filter: Filter): boolean =>
  [...filter].every(([axis, values]) => values.has(String(valueIn(run, speedup, axis))));

export function Filters({ run, route }: { run: RunView; route: Route }) {
  const filter = filterOf(run, route.params);
  const axes = run.axes.filter(({ name }) => run.rows.includes(name) || run.columns.includes(name));
  if (axes.length === 0) return null;
  return (
    <div class="filters">
      {axes.map(({ name, title, values }) => (
        <fieldset key={name} title={title}>
          <legend>{name}</legend>
          {values.map(({ value, label }) => {
            const on = filter.get(name)?.has(String(value)) ?? false;
            return (
              <button
                key={label}
                type="button"
                aria-pressed={on}
                onClick={() => show(toggled(route, filter, name, String(value)))}
              >
                {label}
              </button>
            );
          })}
        </fieldset>
      ))}
      {filter.size > 0 && (
        <button type="button" onClick={() => show(linkTo(""))}>
          show all
        </button>
      )}
    </div>
  );
}

/** Changes the address of the report's page, so that the browser's back button undoes the selection. */
function show(address: string): void {
  location.hash = address;
}

function toggled({ params }: Route, filter: Filter, name: string, value: string): string {
  const values = new Set(filter.get(name));
  if (!values.delete(value)) values.add(value);
  const next = new URLSearchParams(params);
  if (values.size) next.set(name, [...values].join(" "));
  else next.delete(name);
  return linkTo("", next);
}
