/** One comparison: its result in words, where the time goes, and its heat map. */
import type { ComparisonView, SpeedupView } from "../data/comparison-views.ts";
import type { RunView } from "../data/run-view.ts";
import { type Filter, passes, valueIn } from "./filters.tsx";
import { isFaster, isSame, isSlower, type Known, knownSpeedups } from "./findings.ts";
import { Findings } from "./findings-table.tsx";
import { average, labelOf, times } from "./format.ts";
import { HeatMap } from "./heat-map.tsx";
import { meanParts, PartsBars, type PartsSide } from "./parts-bars.tsx";
import { Figure } from "./plot.tsx";
import type { Route } from "./route.ts";

interface Shown {
  run: RunView;
  one: ComparisonView;
  filter: Filter;
  route: Route;
}

export function ComparisonSection({ run, one, filter, route }: Shown) {
  const shown = one.speedups.filter((speedup) => passes(run, speedup, filter));
  const known = knownSpeedups(shown);
  return (
    <section class="comparison">
      <h2>
        {one.option} <span class="quiet">in place of</span> {one.baseline}
      </h2>
      <Subtitle one={one} />
      <div class="columns">
        {known.length === 0 ? (
          <p class="quiet">No scenario has loads of both sides yet.</p>
        ) : (
          <InWords run={run} known={known} all={shown} />
        )}
        <Findings run={run} one={one} known={known} route={route} />
      </div>
      <div class="columns">
        <div class="words">
          <Why run={run} known={known} one={one} />
        </div>
        <HeatMap run={run} one={one} shown={shown} />
      </div>
    </section>
  );
}

/** Shows the comparison's title, unless the heading says the same, and the values that both sides share. */
function Subtitle({ one: { title, option, baseline, shared } }: { one: ComparisonView }) {
  const said = `${option} in place of ${baseline}`.toLowerCase().includes(title.toLowerCase());
  const words = [...(said ? [] : [title]), ...(shared ? [`with ${shared} on both sides`] : [])].join("; ");
  return words && <p class="quiet">{words}</p>;
}

function InWords({ run, known, all }: { run: RunView; known: Known[]; all: SpeedupView[] }) {
  const mean = average(all);
  const faster = known.filter(isFaster).length;
  const slower = known.filter(isSlower).length;
  const same = known.filter(isSame).length;
  const [worst, best] = [Math.min, Math.max].map((of) => {
    const value = of(...known.map(({ speedup }) => speedup));
    return known.find(({ speedup }) => speedup === value)!;
  }) as [Known, Known];
  return (
    <div class="words">
      <p class="headline">
        <strong>{mean ? times(mean.value, mean.bound) : "unknown how many times"}</strong> as fast
        {known.length > 1 && ", geometric mean"}
      </p>
      {known.length > 1 && (
        <ul>
          <li>
            faster in {faster} of {known.length} scenarios, slower in {slower}
            {same > 0 && `, within 2% in ${same}`}
          </li>
          <li>
            best {times(best.speedup, best.bound)} <span class="quiet">{scenarioName(run, best)}</span>
          </li>
          <li>
            worst {times(worst.speedup, worst.bound)} <span class="quiet">{scenarioName(run, worst)}</span>
          </li>
        </ul>
      )}
    </div>
  );
}

const scenarioName = (run: RunView, speedup: SpeedupView): string =>
  [...run.rows, ...run.columns]
    .map((name) => labelOf(run.axes.find((axis) => axis.name === name)!, valueIn(run, speedup, name)))
    .join(", ");

/** Shows what both sides' load times consist of: means over the scenarios for which both sides have packet traces. */
function Why({ run, known, one }: { run: RunView; known: Known[]; one: ComparisonView }) {
  const explained = known.filter(({ baseline, option }) =>
    [baseline, option].every((place) => place !== null && run.conditions[place]!.parts),
  );
  const [baseline, option] = (["baseline", "option"] as const).map((side) =>
    meanParts(
      run,
      explained.map((one) => one[side]),
    ),
  );
  if (!baseline || !option) return null;
  const sides: [PartsSide, PartsSide] = [
    { name: one.baseline, ms: baseline },
    { name: one.option, ms: option },
  ];
  return (
    <Figure
      title={`Where the time goes${explained.length > 1 ? `: means of ${explained.length} scenarios` : ""}`}
      name={`parts-${one.id}`}
    >
      <PartsBars sides={sides} />
    </Figure>
  );
}
