/** Foreign text (schema/foreign-words.ts) as the lab writes it to a terminal, a CI server's log and Markdown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { forTerminal, inMarkdown, inOneLine, shownAddress, withoutPasswords } from "./foreign-words.ts";

const esc = "\x1b";
const words: [word: string, line: string, markdown: string][] = [
  ["app.js", "app.js", "app.js"],
  ["img/größe 2.png", "img/größe 2.png", "img/größe 2.png"],
  ["A/1s/20x2-20ms-0%/h2/iw3", "A/1s/20x2-20ms-0%/h2/iw3", "A/1s/20x2-20ms-0%/h2/iw3"],
  ["main_page.css", "main_page.css", "main_page.css"],
  ["x|y.js", "x|y.js", "`x\\u007cy.js`"],
  ["tick`.js", "tick`.js", "`tick\\u0060.js`"],
  ["<img src=x onerror=alert(1)>.js", "<img src=x onerror=alert(1)>.js", "`\\u003cimg src=x onerror=alert(1)>.js`"],
  ["new\n\n# Page-speed gate: passed", "new\\n\\n# Page-speed gate: passed", "`new\\n\\n# Page-speed gate: passed`"],
  ["# heading", "# heading", "`# heading`"],
  ["1. item", "1. item", "`1. item`"],
  ["[ok](https:evil.example).js", "[ok](https:evil.example).js", "`[ok\\u005d(https:evil.example).js`"],
  ["![x][y]", "![x][y]", "`![x\\u005d[y]`"],
  ["https://evil.example/", "https://evil.example/", "`https://evil.example/`"],
  ["@octocat.js", "@octocat.js", "`\\u0040octocat.js`"],
  ["**bold**", "**bold**", "`**bold**`"],
  ["_underlined_", "_underlined_", "`_underlined_`"],
  ["~~gone~~", "~~gone~~", "`~~gone~~`"],
  ["&lt;b&gt;", "&lt;b&gt;", "`&lt;b&gt;`"],
  ["back\\slash", "back\\slash", "`back\\slash`"],
  [`${esc}[31mred${esc}]0;t\x07`, "\\u001b[31mred\\u001b]0;t\\u0007", "`\\u001b[31mred\\u001b]0;t\\u0007`"],
  ["\x01\x0b\x9b\x7f", "\\u0001\\u000b\\u009b\\u007f", "`\\u0001\\u000b\\u009b\\u007f`"],
  ["gpj.\u202eexe", "gpj.\\u202eexe", "`gpj.\\u202eexe`"],
  [
    "a\u2066b\u2069\u200bc\u2028d\ufeff",
    "a\\u2066b\\u2069\\u200bc\\u2028d\\ufeff",
    "`a\\u2066b\\u2069\\u200bc\\u2028d\\ufeff`",
  ],
  ["a\rb\tc", "a\\u000db\\tc", "`a\\u000db\\tc`"],
  ["::error title=x::y", "\\u003a:error title=x::y", "`\\u003a:error title=x::y`"],
  ["##[error]x", "#\\u0023[error]x", "`#\\u0023[error]x`"],
  ["", "", "``"],
];
for (const [word, line, markdown] of words)
  test(`${JSON.stringify(word)} is one line, and plain text in Markdown`, () => {
    assert.equal(inOneLine(word), line);
    assert.equal(inMarkdown(word), markdown);
  });

test("line breaks in a text are kept, and a CI server treats no line as a command", () => {
  assert.equal(forTerminal("one\n\ttwo\r\nthree"), "one\n\ttwo\nthree");
  assert.equal(
    forTerminal("a\n::error::x\n  ::set-output name=a::b"),
    "a\n\\u003a:error::x\n  \\u003a:set-output name=a::b",
  );
  assert.equal(forTerminal("a ##vso[task.complete] ##teamcity[x]"), "a #\\u0023vso[task.complete] #\\u0023teamcity[x]");
  assert.equal(forTerminal("std::vector and [::1]:80\n## Heading"), "std::vector and [::1]:80\n## Heading");
});

test("JSON for a terminal is still valid JSON, with the same values", () => {
  const value = { name: "a\u202eb ##[x] \x7f\x9b", lines: "a\n::error::b" };
  assert.deepEqual(JSON.parse(forTerminal(JSON.stringify(value, null, 2))), value);
});

const secrets: [text: string, shown: string][] = [
  ["cannot use redis://:s3cret@host:6379, which", "cannot use redis://***@host:6379, which"],
  ["rediss://jane:s3c/r#et@host", "rediss://***@host"],
  ["redis:/:s3cret@host", "redis:/***@host"],
  ["rdis://jane:s3cret@host", "rdis://***@host"],
  ["redis:://:s3cret@host", "redis:://***@host"],
  [":s3cret@host:6379", "***@host:6379"],
  ["jane:s3cret@host", "***@host"],
  ["redis://:s3cret", "redis://:***"],
  ["https://jane:s3cret@www.example/a@2x.png", "https://***@www.example/a@2x.png"],
  ['{"url":"http://jane:s3cret@www.example/"}', '{"url":"http://***@www.example/"}'],
];
for (const [text, shown] of secrets)
  test(`the password is hidden: ${shown}`, () => assert.equal(withoutPasswords(text), shown));

test("text that only resembles a password is kept", () => {
  for (const text of [
    "https://cdn.example/npm/bootstrap@5.3/x.css",
    "redis://HOST:6379, or rediss://:PASSWORD@HOST:6379 with TLS",
    "file:///tmp/a@2x.png at 10:30",
    "mail jane@example.org",
    "127.0.0.1:6379",
  ])
    assert.equal(withoutPasswords(text), text);
});

test("everything before the last @ of an invalid address, except the scheme, is hidden, because it may be a password", () => {
  assert.equal(shownAddress("redis//:s3@cret@host"), "***@host");
  assert.equal(shownAddress("redis://:s3 cret\n@host:1"), "redis://***@host:1");
  assert.equal(shownAddress("host:6379"), "host:6379");
});

test("a text of one to five megabytes is escaped within seconds", () => {
  const before = process.cpuUsage(); // of this process alone: the machine may be busy
  for (const letters of ["a", "a.", "a-", "a:", ":/", "redis", "%-", "#", ":"]) forTerminal(letters.repeat(1e6));
  inMarkdown("]".repeat(1e6));
  assert.ok(process.cpuUsage(before).user < 20e6);
});
