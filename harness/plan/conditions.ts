import { type AnyAxis, type Axis, isCompound, textOf } from "../../axes/axis.ts";
import { allAxes, axes, axisNames, compounds } from "../../axes/registry.ts";
import { usageError } from "../../schema/errors.ts";
import type { AxisValue, Condition, ConditionValues, Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import { mergePatches, type Patch } from "../../schema/settings.ts";

/** What is varied: axes that are multiplied, and rows of values that go together, which are one factor more. */
export interface Varied {
  axes: Readonly<Record<string, readonly AxisValue[]>>;
  together?: readonly Values[] | undefined;
}

/** What no axis asks for: the client's own congestion control, which sends requests and acknowledgments alone. */
const everyLoad: Patch = { route: { client: { congestion: "cubic" } }, client: { sysctls: {} } };

/**
 * The full product, in the order of the axes: for spdy-initcwnd 288 conditions. Conditions that are equal in effect are one.
 * @param keep of all that the product has, what is asked for: what is not need not go together
 * @throws LabError (usage) for an axis that is missing, a value that nothing is named by, or values that do not go together
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

/** What clients of two kinds take, or note by other means, are two things: they are in no run together, and so in no gain. */
function refuseMixedClients(conditions: readonly Condition[], { clients }: Registries): void {
  const names = [...new Set(conditions.map(({ settings }) => settings.client.software))];
  const differs = (name: string) => {
    const { replays, drivenBy } = clients[name] ?? {};
    return replays ? "no browser" : drivenBy ? `timed by ${drivenBy} and not by DevTools` : null;
  };
  const odd = names.find((name) => differs(name));
  const others = names.filter((name) => odd && differs(name) !== differs(odd));
  if (odd && others.length)
    throw usageError(
      `client ${odd}: ${differs(odd)}, so not to be compared with ${others.join(", ")}; make a run of each`,
    );
}

function factorsOf({ axes: multiplied, together = [] }: Varied): Values[][] {
  const place = (names: string[]) => Math.min(...names.map((name) => axisNames.indexOf(name)));
  const single = Object.entries(multiplied).map(([name, values]) => values.map((value) => ({ [name]: value })));
  const factors: Values[][] = together.length ? [...single, [...together]] : single;
  return factors.sort((a, b) => place(Object.keys(a[0]!)) - place(Object.keys(b[0]!)));
}

/** @param given what an experiment or a row says; the rest follows */
export const conditionOf = (given: Values, registries: Registries): Condition =>
  conditionFrom(complete(given, registries), registries);

function conditionFrom(values: ConditionValues, registries: Registries): Condition {
  for (const axis of axes) {
    const value = values[axis.name];
    const refusal = axis.refuses?.(value, values, registries);
    if (refusal) throw usageError(`${axis.name} ${textOf(axis, value)}: ${refusal}`);
  }
  const patches = axes.map((axis) => [axis.name, axis.sets(values[axis.name])] as const);
  return {
    id: idOf(values, registries),
    values,
    fields: Object.fromEntries(
      allAxes.flatMap((axis) => (axis.field && isKnownTo(registries, axis) ? [[axis.field, values[axis.name]]] : [])),
    ),
    settings: mergePatches([["every load", everyLoad], ...patches]),
  };
}

/** What an axis is where nobody says. A run that is older than the axis was made under the same default. */
const defaultOf = ({ name, default: own }: Axis, { defaults }: Registries) => defaults[name] ?? own;

/** A run that is older than an axis has no field of it in its lines. */
const isKnownTo = ({ defaults }: Registries, axis: AnyAxis): boolean =>
  isCompound(axis) || axis.default === undefined || axis.name in defaults;

/** Compounds first, each overridden by those after it and by the axes that are named themselves; then the defaults. */
function complete(given: Values, registries: Registries): ConditionValues {
  for (const axis of allAxes) {
    const value = given[axis.name];
    const known = axis.known?.(registries);
    if (value !== undefined && known && !known.includes(value))
      throw usageError(`there is no ${axis.name} "${value}"; there is: ${known.join(", ")}`);
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

/** Each value was read by its axis' schema, so that it is of its type; what is checked here is that none is missing. */
function ofAllAxes(values: Values): ConditionValues {
  const isWhole = (some: Values): some is ConditionValues => axes.every(({ name }) => name in some);
  if (isWhole(values)) return values;
  const missing = axes.find(({ name }) => !(name in values))?.name;
  throw usageError(`axis ${missing} has no value, and no default; an experiment must name it`);
}

const idOf = (values: ConditionValues, registries: Registries): string =>
  allAxes
    .flatMap((axis) => {
      if (isCompound(axis)) return axis.id ? [axis.id(values)] : [];
      const value = values[axis.name];
      return axis.id && value !== defaultOf(axis, registries) ? [axis.id(value)] : [];
    })
    .join("/");
