/** Reads who loads the page: the links, each with the percentage of users who have this link. */
import { statSync } from "node:fs";
import { z } from "zod";
import { axisNamed } from "../../axes/registry.ts";
import { usageError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";
import { readYamlFile } from "../../schema/yaml-file.ts";
import type { AdvisePlan } from "../plan/advise-plan.ts";
import { valuesIn } from "../plan/select.ts";
import { userPath } from "../record/user-path.ts";

export type Users = AdvisePlan["users"];

export const usualUsers = "Cable:40,4G:40,3GFast:20";
const example = `as in ${usualUsers}`;
const all = 100;
/** The largest error of a sum, because sums of decimal fractions are not exact: 33.3 + 33.3 + 33.4. */
const rounding = 1e-9;

/** One line for each link: "Cable: 40". */
const usersFile = z.record(z.string(), z.number().positive());

/** @param text links with percentages, or the path of a YAML file @throws LabError (usage) for a wrong or repeated link, or a sum other than 100 */
export function usersOf(text: string): Users {
  const where = `--users ${text}`;
  const file = userPath(text);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  const given = isFile
    ? Object.entries(readYamlFile(file, usersFile))
    : text.split(",").map((one) => shareIn(one, where));
  const users = given.map(([name, percent]) => {
    const [link, ...more] = valuesIn(axisNamed("link", where), name, where);
    if (more.length)
      throw usageError(`${where}: ${inOneLine(name)} is not one link; give each link its own percentage`);
    return { link: String(link), percent };
  });
  const names = users.map(({ link }) => link);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice) throw usageError(`${where}: link ${twice} is given twice; give it once, with the sum of its percentages`);
  const sum = users.reduce((total, { percent }) => total + percent, 0);
  if (Math.abs(sum - all) > rounding)
    throw usageError(`${where}: the percentages add up to ${Number(sum.toPrecision(6))}, but must add up to ${all}`);
  const [first, ...others] = users;
  return [first!, ...others];
}

/** Reads a link with its percentage: "Cable:40" or "Cable: 40 %". */
function shareIn(text: string, where: string): [link: string, percent: number] {
  const [, link = "", percent = ""] = /^\s*(.*?)\s*:\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(text) ?? [];
  if (link === "" || !(Number(percent) > 0))
    throw usageError(`${where}: "${text.trim()}" is not a link with the percentage of users who have it, ${example}`);
  return [link, Number(percent)];
}
