/** The command line of an advice, so that anybody can repeat it. */
import { isCompound, textOf } from "../../axes/axis.ts";
import { allAxes } from "../../axes/registry.ts";
import type { Values } from "../../schema/plan.ts";
import type { AdvisePlan } from "../plan/advise-plan.ts";

const plain = /^[\w@%+=:,./-]+$/;
/** A word of a shell's command line. */
const quoted = (word: string): string => (plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

export const changeOptions = (names: readonly string[]): string =>
  names.map((name) => `--change ${quoted(name)}`).join(" ");

/** @param stack the values that the user gave */
export function commandOf(
  { page, users, metric }: Pick<AdvisePlan, "page" | "users" | "metric">,
  stack: Values,
): string {
  const values = allAxes.flatMap((axis) => {
    const value = stack[axis.name];
    const isDefault = value === undefined || (!isCompound(axis) && axis.default === value);
    return isDefault ? [] : [`--${axis.name} ${quoted(textOf(axis, value))}`];
  });
  const shares = users.map(({ link, percent }) => `${link}:${percent}`).join(",");
  return ["./lab advise", quoted(page), `--users ${quoted(shares)}`, `--metric ${metric}`, ...values].join(" ");
}
