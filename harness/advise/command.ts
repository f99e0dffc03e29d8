/** Writes the command line that repeats a run of `./lab advise`. */
import type { Values } from "../../schema/plan.ts";
import type { AdvisePlan } from "../plan/advise-plan.ts";
import { withoutDefaults } from "../plan/trial.ts";

const plain = /^[\w@%+=:,./-]+$/;
const quoted = (word: string): string => (plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

export const changeOptions = (names: readonly string[]): string =>
  names.map((name) => `--change ${quoted(name)}`).join(" ");

/** @param stack the values that the user gave */
export function commandOf(
  { page, users, metric }: Pick<AdvisePlan, "page" | "users" | "metric">,
  stack: Values,
  timeoutSeconds?: number,
): string {
  const values = withoutDefaults(stack).map(({ axis, text }) => `--${axis.name} ${quoted(text)}`);
  if (timeoutSeconds !== undefined) values.push(`--timeout '${timeoutSeconds} s'`);
  const shares = users.map(({ link, percent }) => `${link}:${percent}`).join(",");
  return ["./lab advise", quoted(page), `--users ${quoted(shares)}`, `--metric ${metric}`, ...values].join(" ");
}
