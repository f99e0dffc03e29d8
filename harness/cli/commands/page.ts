import { type Command, Option } from "commander";
import { viewNames } from "../../../clients/recorder/views.ts";
import { readTopology, webHosts } from "../../../hosts/topology.ts";
import { usageError } from "../../../schema/errors.ts";
import { checkImportedPage } from "../../../sites/imported/check-page.ts";
import { remarksOn } from "../../../sites/imported/remarks.ts";
import { isImported, loadPage } from "../../../sites/pages.ts";
import { objectHost } from "../../../sites/paths.ts";
import { print } from "../../output/output.ts";
import { userPath } from "../../record/user-path.ts";
import { printFaithfulness } from "../check-recording.ts";
import { importPage } from "../import-page.ts";
import { printList } from "../print-list.ts";
import { printTable } from "../print-table.ts";
import { recordPage } from "../record-page.ts";
import { printRecording } from "../recording-summary.ts";
import { wholeNumber } from "./options.ts";

function checkPage(name: string, { run }: { run?: string }): void {
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
  const { resources, outside, unasked, unnamed } = checkImportedPage(page, hostCount);
  printTable(
    resources.map(({ hosts, bytes, ...row }) => ({ ...row, bytes: bytes ?? "missing: 404", ...byCount(hosts) })),
  );
  printList(
    outside,
    "URLs outside of the lab. References to them are made empty (data:,), so they are never requested:",
  );
  printList(unasked, "Icons and manifests that browsers use for their windows. No load in the lab requests them:");
  printList(unnamed, "Files that no HTML or CSS refers to. They are served, and scripts may request them:");
  if (page.recording) {
    print("");
    printRecording(page.folder, page.recording);
    if (run !== undefined) printFaithfulness({ ...page, recording: page.recording }, run);
    return;
  }
  if (run !== undefined)
    throw usageError(`page ${name} was not recorded, but --run compares only recorded pages with a run's loads`);
  printList(remarksOn(page), "Possible mistakes:");
  if (resources.some(({ type }) => type === "text/javascript"))
    print(
      "\nA run begins with a load without loss, and prints which files the page's scripts request in that load. Hosts outside of the lab do not answer.",
    );
}

const keepQueries = () =>
  new Option("--keep-queries", "keep the values of query parameters that look private, such as tokens");

export function addTo(lab: Command): void {
  const page = lab.command("page").description("check, record or import a page").helpCommand(false);
  page
    .command("check")
    .description(
      "print what a load of a page requests, from which host, and which requests go to hosts outside the lab",
    )
    .argument("<name>", "a folder in pages/")
    .option("--run <run>", "compare a recorded page with what the loads of this run requested")
    .action(checkPage);
  page
    .command("record")
    .description("make a page from a site: visit it with a headless browser and keep every response")
    .argument("<url>", "the site's address; https:// may be left out")
    .option("--name <name>", "the page's folder in pages/ (default: the site's name)")
    .addOption(
      new Option("--view <view>", "the browser's window: as in the lab's loads (800 x 600), on a desktop or on a phone")
        .choices(viewNames)
        .default("lab"),
    )
    .option("--scroll", "scroll to the page's end, because some files load only when they come into view")
    .option("--seconds <n>", "stop after this many seconds if the page is still loading", wholeNumber(1, 600), 60)
    .option("--insecure", "accept invalid certificates")
    .addOption(keepQueries())
    .action(recordPage);
  page
    .command("import")
    .description(
      "make a page from a HAR file that a browser's developer tools saved, or from an archive of WprGo or mahimahi",
    )
    .argument("<file>", "the HAR, NAME.wprgo, or the folder that mm-webrecord wrote", userPath)
    .option("--name <name>", "the page's folder in pages/ (default: the file's name)")
    .option(
      "--as-recorded",
      "keep a HAR's responses unchanged, also redirects and POSTs; an archive's responses are always kept unchanged",
    )
    .option("--url <url>", "the page's address, if an archive has several pages")
    .addOption(keepQueries())
    .action(importPage);
}
