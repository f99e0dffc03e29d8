/** Compares the requests of a recorded page's load with the recorded requests. */
import { networkPathOf } from "../../schema/recorded-names.ts";
import type { Recording } from "./recording.ts";

/** A request, with its URL as in records: "//www.example.com/list?page=2". */
interface Asked {
  path: string;
  status: number;
  bytes: number;
}

/** Requests to one host name: how many were recorded, and how many of the recorded requests a load repeated. */
export interface NameRow {
  name: string;
  recorded: number;
  again: number;
  recordedBytes: number;
  againBytes: number;
  /** Requests that were not recorded: the server answers them with 404, or with a recorded response to a similar query. */
  other: number;
}

export interface Faithfulness {
  rows: NameRow[];
  /** Repeated requests / (recorded requests + the load's other requests), from 0 to 1. */
  share: number;
  missing: string[];
  other: string[];
}

const ok = 200;

const withoutQuery = (path: string) => path.replace(/\?.*/s, "");

/** Two requests are the same if host name, path and status are equal. Queries may differ: a recording's random numbers differ from those of loads. */
export function faithfulness({ exchanges }: Pick<Recording, "exchanges">, loaded: readonly Asked[]): Faithfulness {
  const recorded = exchanges.map(({ url, status, body }) => ({
    path: networkPathOf(new URL(url)),
    status,
    bytes: body?.bytes ?? 0,
  }));
  const keyOf = ({ path, status }: Asked) => `${withoutQuery(path)} ${status}`;
  const left = new Map<string, Asked[]>();
  for (const one of recorded) left.set(keyOf(one), [...(left.get(keyOf(one)) ?? []), one]);
  const matched = loaded.map((one) => ({ one, was: left.get(keyOf(one))?.shift() }));
  const missing = [...left.values()].flat();
  const again = matched.flatMap(({ one, was }) =>
    was ? [{ path: was.path, status: was.status, bytes: Math.min(one.bytes, was.bytes) }] : [],
  );
  const other = matched.flatMap(({ one, was }) => (was ? [] : [one]));
  const names = [...new Set([...recorded, ...other].map(({ path }) => nameIn(path)))];
  const rows = names.map((name): NameRow => {
    const of = (all: readonly Asked[]) => all.filter(({ path }) => nameIn(path) === name);
    return {
      name,
      ...{ recorded: of(recorded).length, again: of(again).length },
      ...{ recordedBytes: bytesOf(of(recorded)), againBytes: bytesOf(of(again)) },
      other: of(other).length,
    };
  });
  return {
    rows,
    share: again.length / (recorded.length + other.length),
    missing: missing.map(shown),
    other: other.map(shown),
  };
}

const nameIn = (path: string) => path.slice(2).split("/")[0] ?? "";
const bytesOf = (all: readonly Asked[]) => all.reduce((sum, { bytes }) => sum + bytes, 0);
const shown = ({ path, status }: Asked) => (status === ok ? path : `${path} (${status})`);
