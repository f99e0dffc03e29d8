/**
 * Small pages, each of a kind that people write. A page's loads over HTTP/1.1, HTTP/2 and HTTP/3 are valid, or one message says why the page
 * has no loads. With PAGES=lazy,base, the first test loads only the pages lazy and base.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { loadsIn } from "../../harness/record/records.ts";
import { ExitCode } from "../../schema/errors.ts";
import { type Ending, LabCopy, runFolder } from "../lab.ts";
import { finePages } from "../peoples-pages/fine-pages.ts";
import { oddPages } from "../peoples-pages/odd-pages.ts";
import type { Site } from "../sites.ts";

const asked = process.env.PAGES?.split(",");
const { "many-requests": manyRequests, ...others } = finePages;
const fine = Object.fromEntries(Object.entries(others).filter(([name]) => asked?.includes(name) ?? true));

let copy: LabCopy;
before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
});
after(() => copy?.remove());

/**
 * Makes one load of each page over each of three protocols. Over the Cable link with its 1 Mb/s up, 3,000 requests at once lose so many
 * packets in the queue that Chromium ends HTTP/3 connections.
 */
function load(pages: Readonly<Record<string, Site>>, link = "Cable"): Promise<Ending> {
  for (const [name, site] of Object.entries(pages))
    for (const [path, content] of Object.entries(site)) copy.put(`pages/${name}/${path}`, content);
  const words = ["--page", Object.keys(pages).join(), "--server", "caddy", "--protocol", "h1,h2,h3", "--link", link];
  return copy.lab("try", ...words, "--loads", "1", "--clock", "virtual");
}

/** Counts a page's valid loads. */
const validIn = ({ stderr }: Ending, name: string): number =>
  loadsIn(`${copy.folder}/${runFolder(stderr)}`).filter(({ ok, page }) => ok && page === name).length;

test("each page has a valid load over HTTP/1.1, HTTP/2 and HTTP/3", async () => {
  const ending = await load(fine);
  for (const name of Object.keys(fine)) assert.equal(validIn(ending, name), 3, `${name}\n${ending.stderr}`);
  if ("dialogs" in fine)
    assert.match(ending.stderr, /page dialogs, .*: alert\("hello"\), confirm\("sure\?"\), prompt\("name\?"\)/);
  assert.equal(ending.code, ExitCode.done, ending.stderr);
});

test("a page that makes 3,000 requests at once has a valid load over HTTP/1.1, HTTP/2 and HTTP/3", async () => {
  const ending = await load({ "many-requests": manyRequests! }, "FIOS");
  assert.equal(ending.code, ExitCode.done, ending.stderr);
  assert.equal(validIn(ending, "many-requests"), 3);
});

test("a page that cannot be loaded is named once, with the reason, and does not end the run of other pages", async () => {
  const sites = Object.fromEntries(Object.entries(oddPages).map(([name, { site }]) => [name, site]));
  const ending = await load({ ...sites, base: finePages.base! });
  for (const [name, { says }] of Object.entries(oddPages)) {
    const lines = ending.stderr
      .split("\n")
      .filter((line) => line.startsWith("Left out:") && line.includes(`page ${name} `));
    assert.equal(lines.length, 1, `${name}\n${ending.stderr}`);
    assert.match(lines[0]!, says);
  }
  assert.equal(validIn(ending, "base"), 3, ending.stderr);
  assert.equal(ending.code, ExitCode.loadsMissing);
});
