/** Sends requests to each server from the harness's host. Tests ALPN, persistent connections, pipelining, and paths outside of the pages. */
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { makePrograms } from "../../../servers/made.ts";
import { readProtocols } from "../../../servers/protocols.ts";
import { servers } from "../../../servers/servers.ts";
import { cachingOf } from "../../../servers/software.ts";
import type { Answers } from "../../inside/ask-server.ts";
import { inside } from "../../inside/outside.ts";
import { onHarnessHost, ownState } from "../../lab.ts";

const state = ownState();
const protocolOf = readProtocols();
/** Node.js cannot send requests to servers that speak only HTTP/3, and `replay` serves only recorded pages. */
const overTcp = Object.entries(servers).filter(
  ([, { protocols, can }]) =>
    !can.includes("replays") && protocols.some((name) => protocolOf[name]?.transport === "tcp"),
);
before(async () => {
  const site = `${state}/site`;
  mkdirSync(`${site}/linked`, { recursive: true });
  for (const file of [`${state}/outside.txt`, `${site}${inside}`]) writeFileSync(file, "readable by everybody");
  symlinkSync("/etc/passwd", `${site}/linked/file`);
  symlinkSync("/etc", `${site}/linked-etc`);
  symlinkSync("../..", `${site}/linked/folder`);
  symlinkSync("..", `${site}/linked-folder`);
  await makePrograms(overTcp.map(([server]) => server));
});

for (const [server, { protocols, can }] of overTcp)
  test(`${server} serves the pages and no other file`, { timeout: 60_000 }, async () => {
    const [line = ""] = await onHarnessHost("test/inside/ask-server.ts", server);
    const answers = JSON.parse(line) as Answers;
    const overTls = { h1: "http/1.1", h2: "h2", spdy2: "spdy/2", "spdy3.1": "spdy/3.1" };
    const alpn = Object.entries(overTls).filter(([protocol]) => protocols.includes(protocol));
    assert.deepEqual(answers.alpn, Object.fromEntries(alpn));
    assert.deepEqual(
      answers.pipelined,
      answers.expectedLengths,
      "three pipelined requests, answered in order on one connection",
    );
    assert.equal(answers.resumed, false, "a second connection makes a full handshake");
    assert.equal(answers.resumedByTicket, true, "a second connection resumes the session if tickets are requested");
    for (const [path, said] of Object.entries(answers.keeping.first)) assert.equal(said, "", path);
    for (const [path, said] of Object.entries(answers.keeping.repeat))
      assert.equal(said, can.includes("caching") ? cachingOf(path) : "", path);
    assert.deepEqual(
      answers.inside,
      alpn.map(() => 200),
    );
    for (const [protocol, statuses] of Object.entries(answers.outside))
      for (const [path, status] of Object.entries(statuses))
        if (path !== inside && (can.includes("containsLinks") || !path.startsWith("/linked")))
          assert.match(String(status), /^(301|4\d\d|0)$/, `${protocol} ${path}`);
    assert.ok(answers.users.length > 0);
    for (const { uid, effective } of answers.users) {
      assert.equal(effective, "0000000000000000");
      if (process.getuid?.() === 0) assert.ok(uid > 0, "not root");
    }
    assert.match(answers.route, /initcwnd 7 congctl reno|congctl reno initcwnd 7/);
  });
