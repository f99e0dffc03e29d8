/** Lists the requests that a load of an imported page makes, without loading the page. */
import { extname } from "node:path";
import { mimes } from "mrmime";
import { networkPathOf } from "../../schema/recorded-names.ts";
import { objectHost } from "../paths.ts";
import type { Recording } from "../recorded/recording.ts";
import type { ImportedPage } from "./imported-page.ts";
import { findResources } from "./resources.ts";
import { hostsOf } from "./variant.ts";

export interface CheckedResource {
  path: string;
  type: string;
  /** The file's size; null if the folder lacks the file. Servers then respond with 404. */
  bytes: number | null;
  /** The file's host in the variant with one host, in the variant with two hosts, and so on. */
  hosts: string[];
}

export interface CheckedPage {
  resources: CheckedResource[];
  /** URLs of other origins. References to them are removed. */
  outside: string[];
  /** Icons and manifests. Browsers request them only for their own user interface, so no load in the lab requests them. */
  unasked: string[];
  /** Files that no HTML or CSS references. Scripts may still request them. */
  unnamed: string[];
}

export function checkImportedPage(page: ImportedPage, hostCount: number): CheckedPage {
  const counts = Array.from({ length: hostCount }, (_, i) => i + 1);
  if (page.recording) return checkRecording(page.recording, counts);
  const resources = findResources(page);
  const hosts = counts.map((count) => hostsOf(page, resources, count));
  const loaded = resources.found.filter(({ as }) => as !== "unasked");
  const unasked = resources.found.filter(({ as }) => as === "unasked").map(({ path }) => path);
  const named = new Set(resources.found.map(({ path }) => path));
  return {
    resources: loaded.map(({ path, as }) => ({
      path,
      type: mimes[extname(path).slice(1).toLowerCase()] ?? "application/octet-stream",
      bytes: page.files.get(path)?.bytes ?? null,
      hosts: hosts.map((host, i) => (as === "document" ? objectHost(0, counts[i]!) : host.get(path)!)),
    })),
    outside: resources.outside,
    unasked,
    unnamed: [...page.files.keys()].filter((path) => !named.has(path)),
  };
}

/** Lists all recorded responses, each with the lab's host that stands for its recorded host name. */
function checkRecording({ hosts, exchanges }: Recording, counts: readonly number[]): CheckedPage {
  const resources = exchanges.map(({ method, url, status, headers, body }) => {
    const parsed = new URL(url);
    const index = hosts.findIndex(({ names }) => names.includes(parsed.host));
    return {
      path: `${method === "GET" ? "" : `${method} `}${networkPathOf(parsed)}${status === ok ? "" : ` (${status})`}`,
      type: headers.find(([name]) => name === "content-type")?.[1].split(";")[0] ?? "",
      bytes: body?.bytes ?? 0,
      hosts: counts.map((count) => objectHost(index, count)),
    };
  });
  return { resources, outside: [], unasked: [], unnamed: [] };
}
const ok = 200;
