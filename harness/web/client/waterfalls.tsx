/** The requests of two loads, one above the other on the same time axis. */
import type { ReportView } from "../build.ts";
import type { EvidenceView } from "../data/detail.ts";
import { load, useLoaded } from "./data.ts";
import type { Side } from "./distributions.ts";
import { milliseconds } from "./format.ts";
import type { LoadView } from "./loads.ts";
import { Figure } from "./plot.tsx";
import { linkTo, parseKey } from "./route.ts";
import { endOf, rowsOf } from "./spans.ts";
import { Waterfall } from "./waterfall.tsx";

interface Shown {
  side: Side;
  one: LoadView;
  detail: EvidenceView;
  paths: readonly string[];
}

export function Waterfalls({ report, sides }: { report: ReportView; sides: [Side, Side] }) {
  const shown = useLoaded(sides.map(({ key }) => key).join(), report, () =>
    Promise.all(sides.map((side) => middleOf(side, report))),
  );
  const [first, second] = shown ?? [];
  if (!first || !second) return null;
  const both = [first, second];
  const endMs = Math.max(...both.map(({ detail, paths }) => endOf(detail, rowsOf(detail, paths))));
  return (
    <section class="panel">
      <Figure title="For each side, the requests of a load near the median, on one time axis" name="waterfalls">
        {both.map(({ side, one, detail, paths }, i) => (
          <div key={side.key}>
            <p>
              <span class={`side-name ${i === 0 ? "side-a" : "side-b"}`}>{side.name}</span>,{" "}
              <a href={linkTo("load", { c: side.key, l: String(one.place) })}>block {one.block}</a>
              {one.ms !== null && `: ${milliseconds(one.ms)}`}
            </p>
            <Waterfall detail={detail} paths={paths} endMs={endMs} />
          </div>
        ))}
      </Figure>
    </section>
  );
}

/** Finds the load nearest to the side's median, among the side's loads whose details the report has. @returns null without such a load or median */
async function middleOf(side: Side, { runs }: ReportView): Promise<Shown | null> {
  const [run, condition] = parseKey(side.key)!;
  const median = runs[run]!.conditions[condition]!.median;
  if (median == null) return null; // half of the loads never ended
  const data = await load(`${run}/${condition}`);
  const fromMedian = ({ ms }: LoadView) => (ms === null ? Infinity : Math.abs(ms - median));
  const [one] = side.loads.filter(({ detailed }) => detailed).sort((a, b) => fromMedian(a) - fromMedian(b));
  if (!one) return null;
  const { evidence } = await load(`${run}/${condition}/${one.place}`);
  return evidence ? { side, one, detail: evidence, paths: data.paths } : null;
}
