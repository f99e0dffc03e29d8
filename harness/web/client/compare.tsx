/** Compares two conditions, from one run or from two: speedup, distributions, every load, and what else differs. */
import { useMemo } from "preact/hooks";
import type { ReportView } from "../build.ts";
import type { RunView } from "../data/run-view.ts";
import { LoadList, Medians, Modes } from "./compare-lists.tsx";
import { load, useLoaded } from "./data.ts";
import { drawEcdf, drawInOrder, type Side } from "./distributions.ts";
import { conditionName, labelOf, range, times } from "./format.ts";
import { loadsOf } from "./loads.ts";
import { PartsBars } from "./parts-bars.tsx";
import { Drawn, Figure } from "./plot.tsx";
import { conditionKey, linkTo, parseKey, type Route } from "./route.ts";
import { speedupOf } from "./speedup.ts";
import { Waterfalls } from "./waterfalls.tsx";

type Place = [run: number, condition: number];

export function Compare({ report, route: { params } }: { report: ReportView; route: Route }) {
  const first = report.runs[0]!;
  const usual = first.comparisons[0]?.speedups.find(({ baseline, option }) => baseline !== null && option !== null);
  const other: Place = report.runs[1] ? [1, 0] : [0, usual?.option ?? Math.min(1, first.conditions.length - 1)];
  const places = [
    placeOf(report, params.get("a")) ?? [0, usual?.baseline ?? 0],
    placeOf(report, params.get("b")) ?? other,
  ] as [Place, Place];
  const sides = useLoaded(places.join(), report, async () => {
    const data = await Promise.all(places.map(([run, condition]) => load(`${run}/${condition}`)));
    const side = (i: 0 | 1): Side => ({
      key: conditionKey(...places[i]),
      name: nameOf(report, places[i], places[1 - i]!),
      loads: loadsOf(data[i]!.loads),
      timeoutMs: report.runs[places[i][0]]!.timeoutMs,
    });
    return [side(0), side(1)] as [Side, Side];
  });
  return (
    <>
      <h1>Compare</h1>
      <div class="pickers">
        <Picker report={report} places={places} side={0} />
        <Picker report={report} places={places} side={1} />
      </div>
      {sides && <Sides report={report} places={places} sides={sides} />}
    </>
  );
}

function placeOf({ runs }: ReportView, key: string | null): Place | null {
  const place = parseKey(key);
  return place && runs[place[0]]?.conditions[place[1]] ? place : null;
}

/** Names a condition by the values in which it differs from the other condition. */
function nameOf({ runs }: ReportView, place: Place, other: Place): string {
  const [run, condition] = [runs[place[0]]!, runs[place[0]]!.conditions[place[1]]!];
  const beside = runs[other[0]]!.conditions[other[1]]!;
  const differing = run.axes.filter(({ name }) => condition.values[name] !== beside.values[name]);
  const words = differing.map((axis) => labelOf(axis, condition.values[axis.name]));
  return [...(place[0] === other[0] ? [] : [run.folder]), ...words].join(", ") || conditionName(run, condition);
}

function sharedName({ runs }: ReportView, [a, b]: [Place, Place]): string {
  const [run, condition] = [runs[a[0]]!, runs[a[0]]!.conditions[a[1]]!];
  const beside = runs[b[0]]!.conditions[b[1]]!;
  const shared = run.axes.filter(({ name }) => condition.values[name] === beside.values[name]);
  return shared.map((axis) => labelOf(axis, condition.values[axis.name])).join(", ");
}

const sideClass = ["side-a", "side-b"];

/** A menu for each axis. If no condition has all chosen values, selects one that has the new value and as many of the others as possible. */
function Picker({ report, places, side }: { report: ReportView; places: [Place, Place]; side: 0 | 1 }) {
  const [place, condition] = places[side];
  const run = report.runs[place]!;
  const go = (chosen: Place) => {
    const both = places.with(side, chosen).map(([runPlace, one]) => conditionKey(runPlace, one));
    location.hash = linkTo("compare", { a: both[0]!, b: both[1]! });
  };
  const values = run.conditions[condition]!.values;
  return (
    <fieldset class={`picker ${sideClass[side]}`} aria-label={side === 0 ? "First condition" : "Second condition"}>
      {report.runs.length > 1 && (
        <label>
          run
          <select value={place} onChange={({ currentTarget }) => go([Number(currentTarget.value), 0])}>
            {report.runs.map(({ folder }, i) => (
              <option key={folder} value={i}>
                {folder}
              </option>
            ))}
          </select>
        </label>
      )}
      {run.axes.map(({ name, values: all }) => (
        <label key={name}>
          {name}
          <select
            value={String(values[name])}
            onChange={({ currentTarget }) =>
              go([place, nearest(run, { ...values, [name]: all[currentTarget.selectedIndex]!.value }, name)])
            }
          >
            {all.map(({ value, label }) => (
              <option key={label} value={String(value)}>
                {label}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  );
}

function nearest({ conditions }: RunView, wanted: Readonly<Record<string, unknown>>, must: string): number {
  const alike = conditions.map(({ values }) =>
    values[must] === wanted[must] ? Object.keys(wanted).filter((name) => values[name] === wanted[name]).length : -1,
  );
  return alike.indexOf(Math.max(...alike));
}

function Sides({ report, places, sides }: { report: ReportView; places: [Place, Place]; sides: [Side, Side] }) {
  const [first, second] = places.map(([run, condition]) => report.runs[run]!.conditions[condition]!);
  const speedup = useMemo(() => speedupOf(sides), [sides]);
  return (
    <>
      <section class="panel">
        <Verdict speedup={speedup} names={sides.map(({ name }) => name)} shared={sharedName(report, places)} />
        <Modes sides={sides} conditions={[first!, second!]} />
        <div class="plots">
          <Figure title="Share of loads by time" name="ecdf">
            <Drawn draw={(width) => drawEcdf(sides, width)} by={sides} />
          </Figure>
          <Figure title="Every load, block by block (click one to open it)" name="loads">
            <Drawn draw={(width) => drawInOrder(sides, width)} by={sides} />
          </Figure>
        </div>
      </section>
      {first!.parts && second!.parts && (
        <section class="panel">
          <Figure title="Where the difference comes from" name="parts">
            <PartsBars
              sides={[
                { name: sides[0].name, ms: first!.parts },
                { name: sides[1].name, ms: second!.parts },
              ]}
            />
          </Figure>
        </section>
      )}
      <Waterfalls report={report} sides={sides} />
      <section class="panel">
        <h2>What differs</h2>
        <Medians run={report.runs[0]!} sides={sides} conditions={[first!, second!]} />
        <LoadList sides={sides} />
      </section>
    </>
  );
}

interface Judged {
  speedup: ReturnType<typeof speedupOf>;
  names: string[];
  shared: string;
}

function Verdict({ speedup, names, shared }: Judged) {
  if (!speedup) return <p class="quiet">One side has no valid load, or too many loads of both sides never ended.</p>;
  const { speedup: ratio, bound, interval, noInterval } = speedup;
  const clear = interval && (interval.low > 1 || interval.high < 1);
  return (
    <>
      <p class="headline">
        <strong>{times(ratio, bound)}</strong> as fast: <span class="side-name side-b">{names[1]}</span> against{" "}
        <span class="side-name side-a">{names[0]}</span>
        {shared && <span class="quiet">, both with {shared}</span>}
      </p>
      <p class="quiet">
        {interval
          ? `95% interval ${range(interval)}: ${clear ? "chance alone hardly explains the difference" : "it contains 1, so chance alone could explain the difference"}.`
          : `No interval: ${noInterval}.`}
      </p>
    </>
  );
}
