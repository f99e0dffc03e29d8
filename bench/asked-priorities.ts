/** Tabulates the priorities that browsers request for each kind of resource, in 2023 and in a run of experiments/asked-priorities.yml. */
import { readFileSync } from "node:fs";
import { print } from "../harness/output/output.ts";
import { loadsIn, readRun } from "../harness/record/records.ts";
import { alignedTable } from "../harness/tables/format.ts";
import { isIncremental, urgencyOf } from "../observe/priorities.ts";
import { usageError } from "../schema/errors.ts";
import { prioritiesIn } from "./priorities/asked-in-2023.ts";
import { kinds } from "./priorities/kinds.ts";

const publishedFile = `${import.meta.dirname}/priorities/asked-in-2023.json`;
const there = "/test/";
const none = "-";

/** A column of the table. */
export interface Asked {
  browser: string;
  /** Title of a kind of resource -> the priority that the browser requested for it. Kinds that the browser did not load are absent. */
  priorities: ReadonlyMap<string, string>;
}

/** @param name the run's name @param qlogs files of the published data, as BROWSER=FILE; if given, only their priorities are printed as JSON */
export function benchPriorities(name: string | undefined, { qlogs }: { qlogs?: string[] }): void {
  print(
    qlogs
      ? `${JSON.stringify(Object.fromEntries(qlogs.map(decoded)), null, 2)}\n`
      : prioritiesTable([...published(), ...askedIn(readRun(name).folder)]),
  );
}

function decoded(given: string): [browser: string, byPath: Record<string, string>] {
  const [browser = "", file] = given.split("=");
  if (file === undefined)
    throw usageError(`--qlogs ${given}: give a browser and its file, as in "Chrome 115=chrome.js"`);
  return [browser, Object.fromEntries(prioritiesIn(readFileSync(file, "utf8")))];
}

export function published(): Asked[] {
  const all = JSON.parse(readFileSync(publishedFile, "utf8")) as Record<string, Record<string, string>>;
  return Object.entries(all).map(([browser, byPath]) => ({
    browser,
    priorities: new Map(
      kinds.flatMap(({ title, path }) => (there + path in byPath ? [[title, byPath[there + path]!]] : [])),
    ),
  }));
}

/** Makes a column for each browser and protocol. @throws LabError (usage) if a kind was requested with different priorities in one column */
export function askedIn(folder: string): Asked[] {
  const columns = new Map<string, Map<string, string>>();
  for (const load of loadsIn(folder)) {
    if (!load.ok) continue;
    const { connections, userAgent } = load.evidence!;
    const version = /Chrome\/(\d+)/.exec(userAgent)?.[1];
    const browser = `Chromium ${version}, ${connections[0]?.protocol}`;
    const column = columns.get(browser) ?? new Map<string, string>();
    columns.set(browser, column);
    for (const { path, priority = "" } of connections.flatMap(({ requests }) => requests)) {
      const kind = kinds.find(({ file }) => path === `/${file}`);
      if (!kind) continue;
      if ((column.get(kind.title) ?? priority) !== priority)
        throw usageError(
          `${folder}: ${kind.title} has the priority "${column.get(kind.title)}" in one request and "${priority}" in another`,
        );
      column.set(kind.title, priority);
    }
  }
  if (columns.size === 0) throw usageError(`${folder} has no successful loads`);
  return [...columns].map(([browser, priorities]) => ({ browser, priorities }));
}

export const prioritiesTable = (columns: readonly Asked[]): string =>
  alignedTable(
    [
      ["kind of resource", ...columns.map(({ browser }) => browser)],
      ...kinds.map(({ title }) => [title, ...columns.map(({ priorities }) => shown(priorities.get(title)))]),
    ],
    1,
  );

/** Formats a priority as its urgency, and "i" if it is incremental (RFC 9218, section 4). "u=1, i" becomes "1 i". */
function shown(priority: string | undefined): string {
  if (priority === undefined) return none;
  return `${urgencyOf({ priority })}${isIncremental({ priority }) ? " i" : ""}`;
}
