/** The servers, asked directly from the harness's host: ALPN, persistence, pipelining, and nothing beyond the pages. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { run } from "../harness/command.ts";
import { netns } from "../harness/substrate/netns.ts";
import { serverNames } from "../servers/registry.ts";
import type { Answers } from "./ask-server.ts";

before(() => netns.open());

for (const server of serverNames())
  test(`${server} serves the pages, and nothing else`, { timeout: 60_000 }, async () => {
    const answers = JSON.parse(await run(netns.commandInside("test/ask-server.ts", server))) as Answers;
    assert.deepEqual(answers.alpn, { h1: "http/1.1", h2: "h2" });
    assert.deepEqual(answers.pipelined, answers.expectedLengths, "three pipelined requests, answered in order on one connection");
    assert.equal(answers.resumed, false, "a second connection makes a full handshake");
    for (const [path, status] of Object.entries(answers.outside)) assert.match(String(status), /^4\d\d$/, path);
    assert.match(answers.route, /initcwnd 7 congctl reno|congctl reno initcwnd 7/);
  });
