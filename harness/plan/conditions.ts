import { type AnyAxis, type Axis, isCompound, textOf } from "../../axes/axis.ts";
import { allAxes, axes, axisNames, compounds } from "../../axes/registry.ts";
import { usageError } from "../../schema/errors.ts";
import type { AxisValue, Condition, ConditionValues, Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import { mergePatches, type Patch } from "../../schema/settings.ts";

/** `axes`: all their values are combined. `together`: each row's values stay together; the rows are combined like values of one more axis. */
export interface Varied {
  axes: Readonly<Record<string, readonly AxisValue[]>>;
  together?: readonly Values[] | undefined;
}

/** Settings of every condition. No axis changes the client's congestion control, which affects only requests and acknowledgments. */
const everyLoad: Patch = { route: { client: { congestion: "cubic" } }, client: { sysctls: {} } };

/**
 * Returns a condition for each combination of values, in the order of the axes. Equal conditions are merged.
 * @param keep selects combinations, before the check that their values are possible together
 * @throws LabError (usage) for a missing axis, an unknown name, or values that are impossible together
 */
export function conditionsOf(
  varied: Varied,
  registries: Registries,
  keep = (all: { values: ConditionValues }[]) => all,
): Condition[] {
  const factors = factorsOf(varied);
  const product = factors.reduce<Values[]>(
    (rows, factor) => rows.flatMap((row) => factor.map((values) => ({ ...row, ...values }))),
    [{}],
  );
  const kept = keep(product.map((given) => ({ values: complete(given, registries) })));
  const conditions = kept.map(({ values }) => conditionFrom(values, registries));
  refuseMixedClients(conditions, registries);
  return [...new Map(conditions.map((condition) => [condition.id, condition])).values()];
}

/** Load times of different kinds of clients are measured differently, so a run that would compare them is refused. */
function refuseMixedClients(conditions: readonly Condition[], { clients }: Registries): void {
  const names = [...new Set(conditions.map(({ settings }) => settings.client.software))];
  const differs = (name: string) => {
    const { replays, drivenBy } = clients[name] ?? {};
    return replays ? "is not a browser" : drivenBy ? `is timed by ${drivenBy} and not by DevTools` : null;
  };
  const odd = names.find((name) => differs(name));
  const others = names.filter((name) => odd && differs(name) !== differs(odd));
  if (odd && others.length)
    throw usageError(
      `client ${odd} ${differs(odd)}, so its loads cannot be compared with those of ${others.join(", ")}; make a run for each`,
    );
}

function factorsOf({ axes: multiplied, together = [] }: Varied): Values[][] {
  const place = (names: string[]) => Math.min(...names.map((name) => axisNames.indexOf(name)));
  const single = Object.entries(multiplied).map(([name, values]) => values.map((value) => ({ [name]: value })));
  const factors: Values[][] = together.length ? [...single, [...together]] : single;
  return factors.sort((a, b) => place(Object.keys(a[0]!)) - place(Object.keys(b[0]!)));
}

/** @param given values of some axes; all other axes get their defaults */
export const conditionOf = (given: Values, registries: Registries): Condition =>
  conditionFrom(complete(given, registries), registries);

function conditionFrom(values: ConditionValues, registries: Registries): Condition {
  for (const axis of axes) {
    const value = values[axis.name];
    const refusal = axis.refuses?.(value, values, registries);
    if (refusal) throw usageError(`${axis.name} ${textOf(axis, value)}: ${refusal}`);
  }
  const patches = axes.map((axis) => [axis.name, axis.sets(values[axis.name], registries)] as const);
  return {
    id: idOf(values, registries),
    values,
    fields: Object.assign(
      {},
      ...allAxes.filter((axis) => isKnownTo(registries, axis)).map((axis) => fieldsOf(axis, values[axis.name])),
    ),
    settings: mergePatches([["every load", everyLoad], ...patches]),
  };
}

const fieldsOf = (axis: AnyAxis, value: AxisValue): Readonly<Record<string, AxisValue>> => {
  if (!isCompound(axis) && axis.fields) return axis.fields(value as never);
  return axis.field ? { [axis.field]: value } : {};
};

/** The registries of a recorded run have the defaults of the time when the run was made. */
const defaultOf = ({ name, default: own }: Axis, { defaults }: Registries) => defaults[name] ?? own;

/** Whether a run's lines have a field for the axis. They have none if the run is older than the axis. */
const isKnownTo = ({ defaults }: Registries, axis: AnyAxis): boolean =>
  isCompound(axis) || axis.default === undefined || axis.name in defaults;

/** A compound sets its parts. Later compounds and given values override these parts. An axis that still has no value gets its default. */
function complete(given: Values, registries: Registries): ConditionValues {
  for (const axis of allAxes) {
    const value = given[axis.name];
    const known = axis.known?.(registries);
    if (value !== undefined && known && !known.includes(value))
      throw usageError(`unknown ${axis.name} "${value}"; known: ${known.join(", ")}`);
  }
  const values: Record<string, AxisValue> = {};
  for (const compound of compounds) {
    const value = given[compound.name];
    if (value !== undefined) Object.assign(values, compound.expands(value, registries));
  }
  const named = axes.flatMap((axis): [string, AxisValue][] => {
    const value = given[axis.name] ?? values[axis.name] ?? defaultOf(axis, registries);
    return value === undefined ? [] : [[axis.name, value]];
  });
  const parts = ofAllAxes(Object.fromEntries(named));
  return {
    ...parts,
    ...Object.fromEntries(compounds.map((compound) => [compound.name, compound.of(parts, registries)])),
  };
}

/** Checks that every axis has a value. The axes' schemas have already checked the values themselves. */
function ofAllAxes(values: Values): ConditionValues {
  const isWhole = (some: Values): some is ConditionValues => axes.every(({ name }) => name in some);
  if (isWhole(values)) return values;
  const missing = axes.filter(({ name }) => !(name in values)).map(({ name }) => name);
  throw usageError(`an experiment must name these axes, which have no default: ${missing.join(", ")}`);
}

const idOf = (values: ConditionValues, registries: Registries): string =>
  allAxes
    .flatMap((axis) => {
      if (isCompound(axis)) return axis.id ? [axis.id(values, registries)] : [];
      const value = values[axis.name];
      return axis.id && value !== defaultOf(axis, registries) ? [axis.id(value)] : [];
    })
    .join("/");
