/** Computes what models predict: at the measured points if the x axis has names, or as curves if it has numbers. */
import { mean } from "simple-statistics";
import { noTrace } from "../../axes/link-values.ts";
import { isOfPageLoads, type Model, type Transfer } from "../../models/model.ts";
import { models } from "../../models/registry.ts";
import { fullSegmentBytes } from "../../schema/link.ts";
import type { ConditionValues, Values } from "../../schema/plan.ts";
import { entryOf, isImported, type Registries } from "../../schema/registries.ts";
import type { FigureSpec, ModelSpec } from "../plan/figures.ts";
import type { FigureAxis, FigurePoint } from "./figure.ts";
import type { Group } from "./groups.ts";
import type { Measured } from "./measure.ts";
import { modelledLoad } from "./modelled-load.ts";
import { quantityKinds } from "./quantity.ts";

type Pages = Registries["pages"];

/** Points per curve: enough to show the curve's steps in the right places. */
const curvePoints = 241;

export function modelPoints(
  spec: FigureSpec,
  axis: FigureAxis,
  groups: readonly Group[],
  registries: Registries,
): FigurePoint[] {
  return spec.models.flatMap((asked) => {
    const model = entryOf(models, "models", asked.name);
    const at = ({ place, all }: Group, x = place.x): FigurePoint => {
      const predicted = all.map((one) => predictionOf(asked, model, spec, moved(one, spec.x, x), registries));
      const y = predicted.includes(null) ? null : mean(predicted as number[]);
      return { source: "model", model: titleOf(asked, model), ...place, x, y, low: null, high: null };
    };
    if (axis.kind === "name") return groups.map((group) => at(group));
    return linesOf(groups).flatMap((line) => curveOf(axis).map((x) => at(line, x)));
  });
}

/** Returns the first group of each panel and series. A curve has the scenarios of this group, with other values of x. */
const linesOf = (groups: readonly Group[]): Group[] => [
  ...new Map(groups.toReversed().map((group) => [`${group.place.panel}|${group.place.series}`, group])).values(),
];

/** Returns values of x at equal distances on the drawn axis. */
function curveOf({ ticks, scale }: FigureAxis): number[] {
  const values = ticks.map(({ value }) => Number(value));
  const [first, last] = [Math.min(...values), Math.max(...values)];
  return Array.from({ length: curvePoints }, (_, i) => {
    const way = i / (curvePoints - 1);
    return scale === "log" ? first * (last / first) ** way : first + (last - first) * way;
  });
}

/** Sets an axis to another value: for baseline and option, or only for the option if the comparison changes this axis. */
function moved({ values, baseValues }: Measured, axis: string, x: string | number) {
  const changed = baseValues !== null && baseValues[axis] !== values[axis];
  return {
    values: { ...values, [axis]: x },
    baseValues: baseValues && (changed ? baseValues : { ...baseValues, [axis]: x }),
  };
}

function predictionOf(
  asked: ModelSpec,
  model: Model,
  { quantity }: FigureSpec,
  { values, baseValues }: { values: Values; baseValues: Values | null },
  registries: Registries,
): number | null {
  const predicted = (of: Values) => {
    if (isOfPageLoads(model)) {
      // These are the values of a condition, so every axis has a value.
      const load = modelledLoad(of as ConditionValues, asked.growth, registries);
      return load && model.pageLoadMs(load);
    }
    const transfer = transferOf(asked, of, registries.pages);
    return transfer && model.transferMs(transfer);
  };
  const option = predicted(values);
  if (quantity === "value" || baseValues === null) return option;
  const base = predicted(baseValues);
  return base === null || option === null ? null : quantityKinds[quantity].of(base, option);
}

function transferOf({ bytes: given, growth }: ModelSpec, values: Values, pages: Pages): Transfer | null {
  const page = pages[String(values.page)];
  const ofPage = page && !isImported(page) ? page.bodyBytes : null;
  const bytes = given === "page" ? ofPage : typeof given === "number" ? given : Number(values[given ?? ""]);
  const initcwnd = Number(values.initcwnd); // NaN for "adaptive"
  const isVarying = values.trace !== undefined && values.trace !== noTrace; // no model supports a rate that varies
  if (isVarying || bytes === null || !Number.isFinite(bytes) || !Number.isFinite(initcwnd)) return null;
  return {
    bytes,
    segmentBytes: fullSegmentBytes,
    rttMs: Number(values.rtt),
    downMbps: Number(values.down),
    lossPercent: Number(values.loss),
    initcwnd,
    growth,
  };
}

const titleOf = ({ bytes }: ModelSpec, { title }: Model): string =>
  bytes === "page" ? `${title}, as if the page were one response` : title;
