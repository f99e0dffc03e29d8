/** `./lab page record`, and `import` of recordings: output, refused input, and Ctrl-C. The site is on loopback, served by this test's process. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { readRecording } from "../sites/recorded/recording.ts";
import { lab, processesLeft, RunningLab } from "./lab.ts";

/** A folder with its own pages, and with symbolic links to the checkout's other files and folders. */
const folder = mkdtempSync(`${tmpdir()}/record-command-`);
for (const name of readdirSync(".")) if (name !== "pages") symlinkSync(resolve(name), `${folder}/${name}`);
mkdirSync(`${folder}/pages`);
after(() => rmSync(folder, { recursive: true }));

let origin = "";
let asked = () => {};
const answer: RequestListener = ({ url, method }, response) => {
  asked();
  if (url === "/") response.writeHead(302, { location: "/home?token=1", "set-cookie": "a=1" }).end();
  else if (url?.startsWith("/home")) response.setHeader("content-type", "text/html").end(home);
  else if (url === "/style.css") response.setHeader("content-type", "text/css").end("p { color: red }");
  else if (url === "/slow") response.writeHead(200, { "content-type": "text/html" }).write("<p>");
  else response.writeHead(method === "POST" ? 200 : 404).end("x");
};
const home = `<link rel=stylesheet href=/style.css><img src=/gone.png><script>fetch("/send", { method: "POST", body: "a" })</script>`;
const server = createServer(answer);
before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `localhost:${(server.address() as AddressInfo).port}`;
});
after(() => server.close().closeAllConnections());

const record = (...words: string[]) => lab(["page", "record", ...words], { folder });
const pages = () => readdirSync(`${folder}/pages`);

test("record turns a site into a page, and prints a summary on stdout and progress on stderr; the name of an existing page is refused", async () => {
  const { code, stdout, stderr } = await record(`http://${origin}/`, "--name", "site");
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^loading http:.*\n(.*\n)*loaded; waiting until the network is quiet$/m);
  assert.match(stdout, /^pages\/site: 5 responses from 1 host with 1 name, 0\.1 kB\n/);
  assert.match(stdout, /^host +responses +bytes +handshake +names\n1 +5 +\S+ kB +\S+ ms +localhost:\d+$/m);
  for (const kind of ["redirect +1 +0.0", "HTML +1 +0.1", "style +1 +0.0", "other +2 +0.0"])
    assert.match(stdout, new RegExp(`^${kind} kB$`, "m"));
  assert.match(stdout, /^1 by POST, 1 with status 404$/m);
  assert.match(
    stdout,
    /\nNot kept:\n {2}cookies that 1 response set\n {2}values of query parameters.*: token \(\d\)\n/,
  );
  assert.match(
    stdout,
    /\n {2}\.\/lab page check site\n {2}\.\/lab try --page site --clock virtual --protocol h1,h2,h3\n$/,
  );
  assert.equal(readRecording(`${folder}/pages/site`).url, `http://${origin}/`);
  const again = await record(`http://${origin}/`, "--name", "site");
  assert.equal(again.code, 2);
  assert.match(again.stderr, /^lab: pages\/site exists already; use another --name, or remove it$/m);
  assert.deepEqual(pages(), ["site"]);
});

const refused: [string[], number, RegExp][] = [
  [["file:///etc/passwd"], 2, /"file:\/\/\/etc\/passwd": file: cannot be recorded; give the address of a site, as in/],
  [["javascript:alert(1)"], 2, /javascript: cannot be recorded/],
  [["https://"], 2, /"https:\/\/": not a URL/],
  [["https://u:p@localhost/"], 2, /users and passwords in URLs are not supported/],
  [["localhost", "--name", "a b"], 2, /--name "a b": a page's name has only letters, digits, _ and -/],
  [["localhost", "--view", "watch"], 2, /Allowed choices are lab, desktop, phone/],
  [["localhost", "--seconds", "0"], 2, /A whole number from 1 to 600 is allowed/],
  [["no-such-host.invalid"], 1, /^lab: https:\/\/no-such-host\.invalid\/: no such host/m],
  [["localhost:1234"], 1, /^lab: https:\/\/localhost:1234\/: the connection was refused: no server listens there$/m],
];
for (const [words, exitCode, message] of refused)
  test(`page record ${words.join(" ")} fails with exit code ${exitCode}`, async () => {
    const { code, stdout, stderr } = await record(...words);
    assert.match(stderr, message);
    assert.equal(code, exitCode);
    assert.equal(stdout, "");
    assert.doesNotMatch(stderr, /defect|\bat \S+:\d+/);
  });

const request = { method: "GET", url: "https://a.test/" };
const harText = JSON.stringify({
  log: { entries: [{ request, response: { status: 200, content: { mimeType: "text/html", text: "<p>" } } }] },
});
const archive = gzipSync(
  JSON.stringify({
    Requests: {
      "a.test": {
        "https://a.test/": [
          {
            SerializedRequest: Buffer.from("GET / HTTP/1.1\r\nSec-Fetch-Dest: document\r\n\r\n").toString("base64"),
            SerializedResponse: Buffer.from("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>").toString("base64"),
          },
        ],
      },
    },
  }),
);

test("HARs and archives of Web Page Replay are imported as recorded pages; options that do not apply to the file are refused", async () => {
  writeFileSync(`${folder}/theirs.har`, harText);
  writeFileSync(`${folder}/archive.wprgo`, archive);
  for (const words of [
    ["theirs.har", "--as-recorded"],
    ["archive.wprgo", "--url", "a.test"],
  ]) {
    const { code, stdout, stderr } = await lab(["page", "import", ...words], { folder });
    assert.equal(code, 0, stderr);
    const [name = ""] = words[0]?.split(".") ?? [];
    assert.match(stdout, new RegExp(`^pages/${name}: 1 response from 1 host with 1 name, 0\\.0 kB\n`));
    assert.match(stdout, new RegExp(`./lab page check ${name}\n`));
    assert.equal(readRecording(`${folder}/pages/${name}`).url, "https://a.test/");
  }
  const kept = await lab(["page", "import", "theirs.har", "--keep-queries"], { folder });
  assert.deepEqual(
    [kept.code, kept.stderr],
    [2, "lab: --keep-queries is only for --as-recorded and archives: leave it out\n"],
  );
  const plain = await lab(["page", "import", "theirs.har", "--url", "a.test"], { folder });
  assert.deepEqual(
    [plain.code, plain.stderr],
    [2, "lab: --url is only for archives (NAME.wprgo, or a folder of mahimahi): leave it out\n"],
  );
});

test("an address without a scheme is loaded over https; if that fails, the message suggests http", async () => {
  const { code, stderr } = await record(origin);
  assert.equal(code, 1);
  assert.match(stderr, /^lab: https:\/\/localhost:\d+\/: it does not speak TLS \(.*\); without TLS, write http:\/\/$/m);
});

test("after Ctrl-C during a recording, nothing is kept and no process continues", async () => {
  const running = new RunningLab(["page", "record", `http://${origin}/slow`, "--name", "stopped"], { folder });
  await new Promise<void>((resolve) => {
    asked = resolve;
  });
  running.child.kill("SIGINT");
  const { code, stdout, stderr } = await running.ended;
  assert.equal(code, 130);
  assert.match(stderr, /^lab: stopped by Ctrl-C$/m);
  assert.equal(stdout, "");
  assert.ok(!existsSync(`${folder}/pages/stopped`));
  assert.ok(!pages().some((name) => name.startsWith(".")), pages().join());
  assert.deepEqual(processesLeft(), []);
});
