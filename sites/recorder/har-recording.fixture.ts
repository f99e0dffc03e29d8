/** Makes HARs, and the recordings that they become, for tests. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after } from "node:test";
import { readRecording } from "../recorded/recording.ts";
import { readHarAsRecorded } from "./har-recording.ts";
import { writeRecording } from "./write-recording.ts";

const folder = mkdtempSync(`${tmpdir()}/har-recording-`);
after(() => rmSync(folder, { recursive: true }));
let count = 0;

export function recordingOf(entries: unknown[], log: object = {}) {
  const name = `${folder}/${count++}`;
  writeFileSync(
    `${name}.har`,
    JSON.stringify({ log: { version: "1.2", creator: { name: "Test", version: "7" }, entries, ...log } }),
  );
  writeRecording(name, readHarAsRecorded(`${name}.har`));
  const recording = readRecording(name);
  const bodyOf = (url: string) => {
    const found = recording.exchanges.find((one) => one.url === url);
    return readFileSync(`${name}/bodies/${found?.body?.sha256}`);
  };
  const all = recording.exchanges.map(({ method, url, status }) => `${method} ${url} ${status}`);
  return { recording, bodyOf, all, leftOut: recording.leftOut.join("\n") };
}

interface Given {
  method?: string;
  status?: number;
  headers?: Record<string, string>;
  content?: object;
  response?: object;
  request?: object;
  entry?: object;
}
export function entryOf(
  url: string,
  { method = "GET", status = 200, headers = {}, content, response, request, entry }: Given = {},
) {
  const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return {
    startedDateTime: new Date(1_767_000_000_000 + count++).toISOString(),
    time: 9,
    timings: { connect: 30, ssl: 20, wait: 5.25 },
    request: { method, url, headers: [], ...request },
    response: { status, headers: list, content: { mimeType: headers["Content-Type"], ...content }, ...response },
    ...entry,
  };
}
export const html = (url: string) =>
  entryOf(url, { headers: { "Content-Type": "text/html" }, content: { text: "<p>Hi</p>" } });
