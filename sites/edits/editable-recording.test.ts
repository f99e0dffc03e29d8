/** Tests edits of recorded pages. Files are named by their URLs, and an edited document gets a new URL. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { readImportedPage } from "../imported/imported-page.ts";
import { makeRecording, makeSite } from "../recorded/made-recording.fixture.ts";
import { bodiesFolder, mostRecordedBytes, readRecording } from "../recorded/recording.ts";
import { editablePage } from "./editable-recording.ts";
import { asItIs, documentOf, type Edit, inTurn } from "./edited-page.ts";
import { writeEditedRecording } from "./edited-recording.ts";
import { halved } from "./halved.ts";
import { inlined } from "./inlined.ts";
import { fromOwnHost } from "./own-host.ts";
import { preloaded } from "./preloaded.ts";
import { withoutRedirects } from "./redirects.ts";
import { requestedBy } from "./requested-by.ts";
import { scriptLoading } from "./script-loading.ts";
import { without } from "./without.ts";

const directory = mkdtempSync(join(tmpdir(), "edited-recording-"));
after(() => rmSync(directory, { recursive: true }));
const picture = Buffer.concat([Buffer.from("\xff\xd8\xff", "latin1"), Buffer.alloc(7997)]);
const shop = readImportedPage("shop", makeSite(mkdtempSync(join(directory, "shop-")), picture));
const document = "www.shop.test/start?from=root";

function edited(edit: Edit, page = shop) {
  const found = editablePage(page)!;
  const one = edit(asItIs(found.page, found.document))!;
  const folder = mkdtempSync(join(directory, "edited-"));
  writeEditedRecording({ ...page, recording: page.recording! }, [one], folder);
  const recording = readRecording(folder); // checks every body
  const answerTo = (file: string) => recording.exchanges.findLast(({ url }) => url.endsWith(`//${file}`))!;
  const textOf = (file: string) => {
    const { body, headers } = answerTo(file);
    const bytes = readFileSync(join(folder, bodiesFolder, body!.sha256));
    return (headers.some(([name]) => name === "content-encoding") ? gunzipSync(bytes) : bytes).toString("latin1");
  };
  return { one, recording, answerTo, textOf, start: documentOf(one) };
}
const locationOf = ({ headers }: { headers: [string, string][] }) => headers.find(([name]) => name === "location")?.[1];

test("editablePage finds the document by following the first request's redirects, and names files by their URLs", () => {
  const found = editablePage(shop)!;
  assert.deepEqual([found.document, found.page.redirects], [document, ["www.shop.test/"]]);
  assert.equal(found.page.typeOf("cdn.shop.test/code.js?v=3"), "text/javascript");
  const requested = requestedBy(found.page, document).map(({ path, as, blocking }) => [path, as, blocking]);
  assert.deepEqual(requested, [
    ["cdn.shop.test/style.css", "style", true],
    ["cdn.shop.test/one.png", "image", false],
    ["ads.third.test/banner.png?place=top", "image", false],
    ["frame.third.test/inner.html", "frame", false],
    ["cdn.shop.test/code.js?v=3", "script", false],
  ]);
});

test("an edited document is loaded through a copy of the recorded redirect; the copy points to the edited document", () => {
  const { recording, answerTo, textOf, start } = edited(halved(["cdn.shop.test/one.png"]));
  assert.deepEqual(recording.documents, [start]);
  assert.match(start, /^www\.shop\.test\/[0-9a-f]{8}$/);
  assert.equal(answerTo(start).status, 302);
  const copy = locationOf(answerTo(start))!;
  assert.match(copy, /^https:\/\/www\.shop\.test\/start\.[0-9a-f]{8}\?from=root$/);
  const html = textOf(copy.slice("https://".length));
  const [, half = ""] = /<img src="(\/\/cdn\.shop\.test\/one\.[0-9a-f]{8}\.png)"/.exec(html) ?? [];
  assert.equal(answerTo(half.slice(2)).body!.bytes, picture.length / 2);
  assert.ok(html.includes('src="https://ads.third.test/banner.png?place=top"'), "other references are unchanged");
  assert.equal(answerTo(copy.slice("https://".length)).waitMs, 70, "the wait of the original document");
});

test("three edits in turn inline a style sheet, add defer to a script, and add a preload for the script", () => {
  const script = "cdn.shop.test/code.js?v=3";
  const edit = inTurn(
    inlined("cdn.shop.test/style.css"),
    scriptLoading(script, "defer"),
    preloaded([{ path: script, as: "script" }]),
  );
  const { textOf, answerTo, start } = edited(edit);
  const html = textOf(locationOf(answerTo(start))!.slice("https://".length));
  assert.match(html, /<style>body \{ font-family: sans-serif \}<\/style>/);
  assert.match(html, /<link rel="preload" href="\/\/cdn\.shop\.test\/code\.js\?v=3" as="script"\/>/);
  assert.match(html, /<script defer="" src="https:\/\/cdn\.shop\.test\/code\.js\?v=3">/);
});

test("withoutRedirects starts a load at the document, and makes references to a redirect point to the redirect's target if this target was recorded", () => {
  const body = `<!doctype html><img src="/old.png"><img src=/gone>`;
  const html: [string, string][] = [["content-type", "text/html"]];
  const page = readImportedPage(
    "page",
    makeRecording(
      mkdtempSync(join(directory, "redirects-")),
      [["a.test"], ["b.test"]],
      [
        { url: "https://a.test/", status: 301, headers: [["location", "https://b.test/home/"]] },
        { url: "https://b.test/home/", headers: html, body },
        { url: "https://b.test/old.png", status: 302, headers: [["location", "/new.png"]] },
        { url: "https://b.test/new.png", headers: [["content-type", "image/png"]], body: picture },
        { url: "https://b.test/gone", status: 302, headers: [["location", "/nowhere"]] },
      ],
    ),
  );
  const { start, textOf } = edited(withoutRedirects, page);
  assert.match(start, /^b\.test\/home\/[0-9a-f]{8}$/);
  assert.equal(textOf(start), `<!doctype html><img src="//b.test/new.png"><img src=/gone>`);
  const { page: editable, document: home } = editablePage(page)!;
  assert.equal(withoutRedirects(withoutRedirects(asItIs(editable, home))!), null);
});

test("fromOwnHost moves the given hosts' files to the document's host, and a moved style sheet still refers to the same files", () => {
  const css: [string, string][] = [["content-type", "text/css"]];
  const image: [string, string][] = [["content-type", "image/png"]];
  const body = "<link rel=stylesheet href=https://cdn.test/css/a.css><img src=//ads.test/a.png>";
  const style =
    'p { background: url(../b.png) } b { background: url("/c.png") } i { background: url(//ads.test/d.png) }';
  const page = readImportedPage(
    "page",
    makeRecording(
      mkdtempSync(join(directory, "own-")),
      [["a.test"], ["cdn.test"], ["ads.test"]],
      [
        { url: "https://a.test/", headers: [["content-type", "text/html"]], body },
        { url: "https://cdn.test/css/a.css", headers: css, body: style, gzip: true },
        ...["cdn.test/b.png", "cdn.test/c.png", "ads.test/a.png", "ads.test/d.png"].map((file) => ({
          ...{ url: `https://${file}`, headers: image, body: picture },
        })),
      ],
    ),
  );
  const { start, textOf, answerTo } = edited(fromOwnHost(["cdn.test"]), page);
  assert.match(textOf(start), /href="?\/\/a\.test\/cdn\.test\/css\/a\.css"?><img src=\/\/ads\.test\/a\.png>/);
  assert.equal(
    textOf("a.test/cdn.test/css/a.css").replaceAll(/["']/g, ""),
    "p { background: url(//a.test/cdn.test/b.png) } b { background: url(//a.test/cdn.test/c.png) } i { background: url(//ads.test/d.png) }",
  );
  assert.equal(answerTo("a.test/cdn.test/c.png").body!.bytes, picture.length);
});

test("a Link header no longer preloads a file that an edit removed", () => {
  const link = `</a.png>; rel=preload; as=image, </b.png>; rel="preload"; as=image, <https://c.test>; rel=preconnect`;
  const image: [string, string][] = [["content-type", "image/png"]];
  const page = readImportedPage(
    "page",
    makeRecording(
      mkdtempSync(join(directory, "links-")),
      [["a.test"]],
      [
        {
          url: "https://a.test/",
          headers: [
            ["content-type", "text/html"],
            ["link", link],
          ],
          body: "<img src=a.png><img src=b.png>",
        },
        { url: "https://a.test/a.png", headers: image, body: picture },
        { url: "https://a.test/b.png", headers: image, body: picture },
      ],
    ),
  );
  const { answerTo, start } = edited(without(["a.test/a.png"]), page);
  const [, left] = answerTo(start).headers.find(([name]) => name === "link")!;
  assert.equal(left.trim(), `</b.png>; rel="preload"; as=image, <https://c.test>; rel=preconnect`);
});

test("editablePage returns null for a document whose decompressed size exceeds the limit of a recording", () => {
  const body = Buffer.alloc(mostRecordedBytes + 1);
  const exchange = { url: "https://a.test/", headers: [["content-type", "text/html"]] as [string, string][], body };
  const folder = makeRecording(mkdtempSync(join(directory, "bomb-")), [["a.test"]], [{ ...exchange, gzip: true }]);
  assert.equal(editablePage(readImportedPage("page", folder)), null);
});

test("editablePage returns null for a document that is not HTML or has an unknown content coding", () => {
  for (const headers of [
    [["content-type", "text/plain"]],
    [
      ["content-type", "text/html"],
      ["content-encoding", "zstd"],
    ],
  ] as [string, string][][]) {
    const folder = makeRecording(
      mkdtempSync(join(directory, "plain-")),
      [["a.test"]],
      [{ url: "https://a.test/", headers, body: "x" }],
    );
    assert.equal(editablePage(readImportedPage("page", folder)), null);
  }
});
