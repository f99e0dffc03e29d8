/** One case: what came out in words, what else differs, and its heat map. */
import type { CaseView, GainView, RunView } from "../data/model.ts";
import { type Filter, passes, valueIn } from "./filters.tsx";
import { type Known, knownGains, same } from "./findings.ts";
import { Findings } from "./findings-table.tsx";
import { labelOf, mean, times } from "./format.ts";
import { HeatMap } from "./heat-map.tsx";
import { meanParts, PartsBars, type PartsSide, whyInWords } from "./parts.tsx";
import { Figure } from "./plot.tsx";
import type { Route } from "./route.ts";

interface Shown {
  run: RunView;
  one: CaseView;
  filter: Filter;
  route: Route;
}

export function CaseSection({ run, one, filter, route }: Shown) {
  const shown = one.gains.filter((gain) => passes(run, gain, filter));
  const known = knownGains(shown);
  return (
    <section class="case">
      <h2>
        {one.option} <span class="quiet">in place of</span> {one.base}
      </h2>
      <Subtitle one={one} />
      <div class="columns">
        {known.length === 0 ? <p class="quiet">No load of both sides yet.</p> : <InWords run={run} known={known} />}
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

/** What the heading does not say already. */
function Subtitle({ one: { title, option, base, shared } }: { one: CaseView }) {
  const said = `${option} in place of ${base}`.toLowerCase().includes(title.toLowerCase());
  const words = [...(said ? [] : [title]), ...(shared ? [`with ${shared} on both sides`] : [])].join("; ");
  return words && <p class="quiet">{words}</p>;
}

function InWords({ run, known }: { run: RunView; known: Known[] }) {
  const average = mean(known.map(({ gain }) => gain));
  const faster = known.filter(({ gain }) => gain > 1 + same).length;
  const slower = known.filter(({ gain }) => gain < 1 - same).length;
  const [worst, best] = [Math.min, Math.max].map((of) => {
    const value = of(...known.map(({ gain }) => gain));
    return known.find(({ gain }) => gain === value)!;
  }) as [Known, Known];
  return (
    <div class="words">
      <p class="headline">
        <strong>{times(average)}</strong> as fast{known.length > 1 && " on average"}
      </p>
      {known.length > 1 && (
        <ul>
          <li>
            faster in {faster} of {known.length} settings, slower in {slower}
            {known.length > faster + slower && `, within 2% in ${known.length - faster - slower}`}
          </li>
          <li>
            best {times(best.gain)} <span class="quiet">{settingName(run, best)}</span>
          </li>
          <li>
            worst {times(worst.gain)} <span class="quiet">{settingName(run, worst)}</span>
          </li>
        </ul>
      )}
    </div>
  );
}

const settingName = (run: RunView, gain: GainView): string =>
  [...run.rows, ...run.columns]
    .map((name) => labelOf(run.axes.find((axis) => axis.name === name)!, valueIn(run, gain, name)))
    .join(", ");

/** By the accounts of loads whose packets were kept: of the settings whose both sides have one. */
function Why({ run, known, one }: { run: RunView; known: Known[]; one: CaseView }) {
  const told = known.filter(({ base, option }) =>
    [base, option].every((place) => place !== null && run.conditions[place]!.parts),
  );
  const [base, option] = [
    meanParts(
      run,
      told.map((gain) => gain.base),
    ),
    meanParts(
      run,
      told.map((gain) => gain.option),
    ),
  ];
  if (!base || !option) return null;
  const sides: [PartsSide, PartsSide] = [
    { name: one.base, ms: base },
    { name: one.option, ms: option },
  ];
  return (
    <>
      {known.length === 1 && <p>{whyInWords(run, sides)}</p>}
      <Figure
        title={`Where the time goes${told.length > 1 ? `: means of ${told.length} settings` : ""}`}
        name={`parts-${one.id}`}
      >
        <PartsBars run={run} sides={sides} />
      </Figure>
    </>
  );
}
