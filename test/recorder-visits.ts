/** For tests: visits and recordings of sites that tests serve. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after } from "node:test";
import type { Resolve } from "../clients/recorder/origin-connections.ts";
import { recordSite } from "../clients/recorder/record-site.ts";
import type { SiteVisit } from "../clients/recorder/visit-page.ts";
import { readRecording } from "../sites/recorded/recording.ts";
import { writeRecording } from "../sites/recorder/write-recording.ts";
import { type Answer, serveNamed } from "./named-sites.ts";

export const folder = mkdtempSync(`${tmpdir()}/record-test-`);
after(() => rmSync(folder, { recursive: true }));

const usual = { view: "lab", scrolls: false, seconds: 30, insecure: true } as const;
const never = new AbortController().signal;
type GivenVisit = Partial<SiteVisit> & { url: string };

/** Visits a site that a test serves. */
export const visited = (resolve: Resolve, visit: GivenVisit, signal = never) =>
  recordSite({ ...usual, ...visit }, { signal, say: () => {}, resolve });

let count = 0;
/** Visits a site that a test serves, and saves the recording as a page. */
export async function record(resolve: Resolve, visit: GivenVisit) {
  const page = `${folder}/page-${count++}`;
  writeRecording(page, await visited(resolve, visit));
  const recording = readRecording(page);
  const all = recording.exchanges.map(({ method, url, status }) => `${method} ${url} ${status}`);
  const exchange = (method: string, url: string) => {
    const [found, another] = recording.exchanges.filter((one) => one.method === method && one.url === url);
    assert.ok(found && !another, `${method} ${url} in ${all.join("\n")}`);
    return found;
  };
  const bodyOf = (url: string) => readFileSync(`${page}/bodies/${exchange("GET", url).body?.sha256}`);
  return { recording, all, exchange, bodyOf, leftOut: recording.leftOut.join("\n") };
}

export const oneSite = (answer: Answer) => serveNamed([{ names: ["a.test"], answer }]);
