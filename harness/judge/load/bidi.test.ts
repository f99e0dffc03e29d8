/** Evidence from a browser that is driven over WebDriver BiDi. Such a browser reports less than Chromium. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../../schema/evidence.ts";
import { conditionOf } from "../../plan/conditions.ts";
import { judgeLoad } from "./load.ts";
import {
  asked,
  connections,
  flow,
  flows,
  good,
  html,
  judge,
  notObservableAlways,
  registries,
  withFlows,
} from "./sample-load.fixture.ts";

/** A browser driven over WebDriver BiDi. It reports neither TLS nor the numbers and addresses of connections. */
const driven = { userAgent: "Firefox/", protocols: ["h2"], drivenBy: "WebDriver BiDi" };
const untold = connections.map(({ tls: _, ...one }) => ({ ...one, id: null, address: null }));
const byBiDi = (change: Partial<Evidence> = {}, values: Partial<typeof asked> = {}) => {
  const known = { ...registries, clients: { ...registries.clients, firefox: driven } };
  const condition = conditionOf({ ...asked, client: "firefox", ...values }, known);
  return judgeLoad(800, { ...good, userAgent: "Firefox/153.0", connections: untold, ...change }, condition, known);
};

test("if a browser does not number its connections, those that carried responses are counted in the captures", () => {
  assert.deepEqual(byBiDi().contradictions, []);
  assert.deepEqual(byBiDi().notObservable, notObservableAlways);
  const unused = { ...flow("s2.lab", { sentSegments: 4, initcwnd: { atLeast: 3, atMost: null } }), clientPort: 40001 };
  assert.deepEqual(byBiDi(withFlows(...flows, unused)).contradictions, []);
  const used = { ...flow("s2.lab"), clientPort: 40001 };
  assert.match(
    byBiDi(withFlows(...flows, used)).contradictions.join("\n"),
    /2 connections to s2\.lab; at most 1 expected/,
  );
  assert.match(byBiDi(withFlows(flows[0]!)).contradictions.join("\n"), /connections to s2\.lab, the captures saw 0/);
});

test("over HTTP/2, responses with more bytes than the server's segments are accepted only if the browser counts headers uncompressed", () => {
  const requests = Array.from({ length: 40 }, (_, i) => ({ ...html, path: `/${i}.jpg`, bytes: 900 }));
  const doNotFit = ({ contradictions }: ReturnType<typeof byBiDi>) =>
    contradictions.some((one) => one.endsWith("do not fit into 20 segments"));
  const few = withFlows(flow("s1.lab", { sentSegments: 20 }), flows[1]!);
  assert.ok(doNotFit(judge({ ...few, connections: [{ ...connections[0]!, requests }, connections[1]!] })));
  assert.ok(!doNotFit(byBiDi({ ...few, connections: [{ ...untold[0]!, requests }, untold[1]!] })));
});

test("a connection must have a number and an address if the browser reports them, and must have neither otherwise", () => {
  const said = /a connection to s1\.lab has a number or an address, which WebDriver BiDi does not report/;
  assert.match(byBiDi({ connections }).contradictions.join("\n"), said);
  assert.match(
    judge({ connections: connections.map((one) => ({ ...one, id: null })) }).contradictions.join("\n"),
    /a connection to s1\.lab has no number or no address, but chromium reports them/,
  );
});

test("if a browser does not report TLS, the ServerHello shows the TLS version, but not the key exchange of TLS 1.2", () => {
  const hello = { version: "1.2" as const, group: null, resumed: false, retry: false };
  const old = withFlows(...flows.map(({ host }) => flow(host, { hello })));
  assert.match(byBiDi(old).contradictions.join("\n"), /TLS 1\.2 instead of 1\.3, by its ServerHello/);
  assert.match(byBiDi(old, { tls: "1.2" }).notObservable.keyExchange!, /WebDriver BiDi does not report it/);
});

test("Firefox may report the end of the HTML late, but not more than 50 ms after the document was parsed", () => {
  const ending = (endMs: number) =>
    byBiDi({ connections: [{ ...untold[0]!, requests: [{ ...html, endMs }] }, untold[1]!], timing: early });
  const early = { ...good.timing, responseEnd: 310 };
  assert.deepEqual(ending(500).contradictions, []);
  assert.match(ending(600).contradictions.join("\n"), /the HTML ended after 600 ms by its request/);
  assert.match(judge({ timing: early }).contradictions.join("\n"), /after 310 ms by Navigation Timing/);
});
