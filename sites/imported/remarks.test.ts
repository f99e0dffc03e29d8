import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { readImportedPage } from "./imported-page.ts";
import { remarksOn } from "./remarks.ts";

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
function remarks(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(`${tmpdir()}/lab-page-`);
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) writeFileSync(`${folder}/${path}`, content);
  return remarksOn(readImportedPage("mine", folder)).join("\n");
}

const starts: [what: string, html: string, to: string][] = [
  ["a meta refresh", '<meta http-equiv=Refresh content="0; URL=home.html">', "home.html"],
  ["a meta refresh with a quoted URL", `<meta http-equiv="refresh" content="1;url='home.html'">`, "home.html"],
  ["location.replace()", '<script>location.replace("home.html")</script>', "home.html"],
  ["setting location.href", "<script>window.location.href = '/de/'</script>", "/de/"],
  ["setting top.location", '<script>top.location="home.html"</script>', "home.html"],
];
for (const [what, html, to] of starts)
  test(`a page that navigates to another page by ${what} is reported`, () =>
    assert.match(remarks({ "index.html": html }), new RegExp(`index\\.html may navigate to ${to}\\.`)));

test("remarksOn reports dialogs, broken pictures, and paths of missing files in scripts", () => {
  const said = remarks({
    "index.html": "<script>alert('x')</script><img src=a.png><img src=b.png><img src=c.gif>",
    "a.png": "no picture",
    "b.png": Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    "c.gif": "",
    "main.js": 'confirm("?"); const logo = "/assets/logo-1.svg", own = "/main.js"',
  });
  assert.match(said, /may open dialogs: alert, confirm\./);
  assert.match(said, /their first bytes are not a picture's: a\.png\./);
  assert.match(said, /paths of missing files: \/assets\/logo-1\.svg\./);
});

test("a page without probable mistakes has no remarks", () =>
  assert.equal(
    remarks({
      "index.html": '<meta http-equiv=refresh content=60><script>if (location.hash == "#x") dialog.alert(1)</script>',
      "f.js": 'function alert(x) {} location = "#top"',
    }),
    "",
  ));
