import assert from "node:assert/strict";
import { test } from "node:test";
import { quoted, urlWithoutCredentials, withoutCredentials } from "./recorded-url.ts";
import { entryOf, htmlOf, tryImport } from "./try-import.fixture.ts";

test("a reference finds its file even if the recording and the page write the URL differently", () => {
  const urls = {
    "https://www.example.test:443/port.css": "/port.css",
    "https://WWW.Example.test/host.css": "https://www.example.test/host.css",
    "https://www.example.test/b c.css": "/b%20c.css",
    "https://www.example.test/d%20e.css": "/d e.css",
    "https://www.example.test/ä.css": "/%c3%a4.css",
    "https://www.example.test/%c3%b6.css": "/ö.css",
    "https://www.example.test/%7Euser.css": "/~user.css",
    "https://www.example.test/x/../up.css": "/up.css",
    "https://bücher.example/q.css": "https://xn--bcher-kva.example/q.css",
    "https://u:p@www.example.test/secret.css": "/secret.css",
    "https://www.example.test/open.css": "https://u:p@www.example.test/open.css",
    "https://www.example.test/hash.css#part": "/hash.css",
    "http://[2001:db8::1]:8080/v6.css": "//[2001:DB8::1]:8080/v6.css",
    "https://www.example.test/q.css?a=%2f": "/q.css?a=%2F",
  };
  const references = Object.values(urls).map((url) => (url.startsWith("//[") ? `http:${url}` : url));
  const { unnamed, outside, contents } = tryImport([
    htmlOf(references.map((url) => `<link rel=stylesheet href="${url}">`).join("")),
    ...Object.keys(urls).map((url) => entryOf(url, { text: `/* ${url.length} */` })),
  ]);
  assert.deepEqual([unnamed, outside], [[], []]);
  assert.equal(contents.size, references.length + 1);
});

test("the import neither keeps nor prints users and passwords in URLs", () => {
  const secret = /jane|s3cret/;
  const url = (path: string) => `https://jane:s3cret@www.example.test${path}`;
  const log = { pages: [{ id: "one", title: `Run 1 of ${url("/")} by a@b` }] };
  const { text, pageFile, sentences } = tryImport(
    [
      { ...htmlOf(""), request: { method: "GET", url: url("/") }, pageref: "one" },
      entryOf(url("/a.css"), { text: `a{b:url(${url("/none.png")})}` }),
      entryOf(url("/old"), { status: 302, redirectURL: url("/a.css") }),
      entryOf("https://jane:s3cret@[/"),
      entryOf(url("/p"), { size: -1 }),
    ],
    log,
  );
  for (const one of [text("a.css")!, text("index.html")!, pageFile, sentences]) assert.doesNotMatch(one, secret);
  assert.match(text("a.css")!, /https:\/\/www\.example\.test\/none\.png/);
  assert.match(pageFile, /title: Run 1 of https:\/\/www\.example\.test\/ by a@b/);
  const failing = [{ ...htmlOf("", { status: 500 }), request: { method: "GET", url: url("/") } }];
  assert.throws(
    () => tryImport(failing),
    ({ message }: Error) => !secret.test(message) && message.includes("https://www.example.test/ is 500"),
  );
});

test("passwords with any characters are removed; from an invalid URL, everything before the last @ is removed", () => {
  const rests = { "s'cret": "a.test/@x", 's"cret': "a.test/@x", "s@cret": "a.test/@x" };
  const restsOfUrls = { "s<c>ret": "a.test/@x", "s/cret": "x", "s#cret": "x", "s?cret": "x", "s\\cret": "x" };
  for (const [password, rest] of Object.entries({ ...rests, ...restsOfUrls })) {
    const url = `https://jane:${password}@a.test/@x`;
    assert.equal(urlWithoutCredentials(url), `https://${rest}`);
    assert.equal(quoted(url), `"https://${rest}"`);
    if (password in rests) assert.equal(withoutCredentials(`Run of ${url} by c@d`), `Run of https://${rest} by c@d`);
  }
  assert.equal(quoted("https://jane:s cr/et\n@a.test"), '"https://a.test"');
  assert.equal(withoutCredentials("https://a.test,https://b:c@d"), "https://a.test,https://d");
  for (const plain of ["https://a.test/@x", "/@x", "//a.test/@x", "https://a.test,https://b.test/ c@d", "a@b"])
    assert.deepEqual([urlWithoutCredentials(plain), withoutCredentials(plain)], [plain, plain]);
});

test("user and password are removed even from URLs without slashes or with white space, because browsers accept such URLs", () => {
  for (const before of ["http:", "https:", "http:/", "ftp:", "http:\\\\", "https:///", "//", "\\\\"])
    assert.equal(urlWithoutCredentials(`${before}jane:pw@a.test/x@y`), `${before}a.test/x@y`);
  assert.equal(urlWithoutCredentials(" ht\ntp://jane:pw@a.test/x"), "http://a.test/x");
});

test("withoutCredentials does not change a text with several URLs that have no users and passwords", () => {
  const link = "<https://cdn.test>;rel=preconnect,</npm/react@18/x.js>;rel=preload;as=script";
  assert.equal(withoutCredentials(link), link);
});

test("a message contains no escape sequences or line breaks from a recording", () => {
  const { sentences } = tryImport([htmlOf("<p>"), entryOf("https://[\u001b[31m\n::error::\u009b2J")]);
  assert.match(sentences, /its URL is invalid \("https:\/\/\[\\u001b\[31m\\n::error::\\u009b2J"\)/);
});
