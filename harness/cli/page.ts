import { existsSync, writeFileSync } from "node:fs";
import { recordHar } from "../../clients/chromium/record-har.ts";
import { readTopology, webHosts } from "../../hosts/topology.ts";
import { importHar } from "../../pages/har/import-har.ts";
import { checkImportedPage } from "../../pages/imported/check-page.ts";
import { isImported, loadPage } from "../../pages/pages.ts";
import { objectHost } from "../../pages/paths.ts";
import { usageError } from "../../schema/errors.ts";
import { printTable } from "./list.ts";

/** What a load of a page asks for, of whom, and what it would ask of the outside. */
export function checkPage(name: string): void {
  const page = loadPage(name);
  const hostCount = webHosts(readTopology()).length;
  const counts = Array.from({ length: hostCount }, (_, i) => i + 1);
  const byCount = (hosts: string[]) => Object.fromEntries(counts.map((count, i) => [`of ${count}`, hosts[i]!]));
  if (!isImported(page)) {
    const objects = page.objects.map(({ index, file, sizeBytes: bytes }) => ({ index, path: file, bytes }));
    const all = [{ index: 0, path: "the HTML", bytes: page.html.bytes }, ...objects];
    printTable(
      all.map(({ index, ...row }) => ({ ...row, ...byCount(counts.map((count) => objectHost(index, count))) })),
    );
    return;
  }
  const { resources, outside, unnamed } = checkImportedPage(page, hostCount);
  printTable(
    resources.map(({ hosts, bytes, ...row }) => ({ ...row, bytes: bytes ?? "missing: 404", ...byCount(hosts) })),
  );
  const list = (urls: string[], sentence: string) => {
    if (urls.length) console.log([`\n${sentence}`, ...urls.map((url) => `  ${url}`)].join("\n"));
  };
  list(outside, "These would leave the lab. Their references are emptied (data:,), so nobody is asked:");
  list(unnamed, "No HTML and no CSS names these. They are served, and scripts may ask for them:");
  if (resources.some(({ type }) => type === "text/javascript"))
    console.log(
      "\nWhat its scripts ask for, a run learns in a load without loss, and says. It keeps its origin; the outside does not answer.",
    );
}

export function importPage(file: string, { name }: { name?: string }): void {
  const { folder, sentences } = importHar(file, name);
  for (const sentence of sentences) console.error(sentence);
  console.log(folder);
}

/** @param file by default the host's name */
export async function recordPage(url: string, { file, timeout }: { file?: string; timeout: number }): Promise<void> {
  const target = file ?? `${URL.canParse(url) ? new URL(url).hostname : "page"}.har`;
  if (existsSync(target)) throw usageError(`${target} is there already; give another --file, or remove it`);
  writeFileSync(target, JSON.stringify(await recordHar(url, timeout * 1000), null, 1));
  console.error(`recorded; make a page of it: ./lab page import ${target}`);
  console.log(target);
}
