import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, RequestEvidence, UnansweredRequest } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { LearntRequest, Registries } from "../schema/registries.ts";
import { bodyBytesOf, mostConnections } from "./expected.ts";
import { axis } from "./page.axis.ts";

const values = { page: "mine", servers: 2, protocol: "h2", server: "nginx", client: "chromium" } as ConditionValues;
const learnt: LearntRequest[] = [
  { host: "s1.lab", path: "/index.html", status: 200, bytes: 1000 },
  { host: "s2.lab", path: "/a.png", status: 200, bytes: 5000 },
  { host: "s1.lab", path: "/gone.png", status: 404, bytes: 0 },
  { host: "s2.lab", path: "/font.woff2", status: 200, bytes: 900, optional: true },
];
const hosts = [1, 2].map((n) => ({ service: `server${n}`, name: `s${n}.lab`, address: `198.18.1.1${n}` }));
const registries = {
  pages: { mine: { sha256: "", learnt: { "2-h2-nginx-chromium": learnt } } },
  hosts,
} as unknown as Registries;

const answer = (path: string, bytes: number, news: Partial<RequestEvidence> = {}): RequestEvidence => ({
  path,
  status: 200,
  bytes,
  startMs: 0,
  endMs: 300,
  ...news,
});
const [html, image] = [answer("/index.html", 1200), answer("/a.png", 5100)];
const gone = answer("/gone.png", 548, { status: 404 });
const evidence = (s1: RequestEvidence[], s2: RequestEvidence[], unanswered?: UnansweredRequest[]) =>
  ({
    connections: [
      { host: "s1.lab", requests: s1 },
      { host: "s2.lab", requests: s2 },
    ],
    ...(unanswered ? { unanswered } : {}),
  }) as unknown as Evidence;
const proof = (...given: Parameters<typeof evidence>) => axis.proves("mine", values, evidence(...given), registries);

test("an imported page is confirmed if the load makes all learnt requests, with or without the optional ones", () => {
  assert.equal(proof([html, gone], [image]), "confirmed");
  assert.equal(proof([html, gone], [image, answer("/font.woff2", 950, { initiator: "style" })]), "confirmed");
});

test("a script's request that the load event does not wait for, and a request to a host outside the lab, do not contradict the page", () => {
  const fetched = answer("/data.json", 20, { initiator: "script", nonBlocking: true, endMs: null });
  const outside = { url: "https://x.example/", why: "net::ERR_NAME_NOT_RESOLVED" };
  assert.equal(proof([html, gone, fetched], [image], [outside]), "confirmed");
});

test("a response that the load event does not wait for may be incomplete when the load ends", () => {
  const begun = { ...image, bytes: 3830, endMs: 900 };
  assert.equal(proof([html, gone], [{ ...begun, nonBlocking: true }]), "confirmed");
  assert.notEqual(proof([html, gone], [begun]), "confirmed");
});

test("a learnt request for which the load event does not wait, such as an unused preload, may be unanswered when the load ends", () => {
  const waiting = { url: "https://s2.lab/a.png", why: "" };
  assert.equal(proof([html, gone], [], [{ ...waiting, nonBlocking: true }]), "confirmed");
  assert.match(JSON.stringify(proof([html, gone], [])), /s2\.lab\/a\.png \(200\) was learnt, but not requested/);
  assert.match(JSON.stringify(proof([html, gone], [], [waiting])), /a\.png was requested, but not answered/);
});

test("a style sheet may make a request that was not learnt, but a script may not", () => {
  const other = (initiator: "style" | "script") => answer("/other.woff2", 950, { initiator });
  assert.equal(proof([html, gone], [image, other("style")]), "confirmed");
  assert.match(
    JSON.stringify(proof([html, gone], [image, other("script")])),
    /other\.woff2 \(200\), which was not learnt/,
  );
});

test("a file that the page names twice may have a second response with status 304, if its first response has status 200", () => {
  const again = { ...image, status: 304, bytes: 90, startMs: 310, endMs: 400 };
  assert.equal(proof([html, gone], [image, again]), "confirmed");
  assert.match(JSON.stringify(proof([html, gone, again], [image])), /s1\.lab\/a\.png \(304\), which was not learnt/);
});

test("the page is contradicted by a failed request that was answered when the page was learnt, and the message names the request", () => {
  const contradicts = ["s2.lab/a.png was requested, but not answered"];
  assert.deepEqual(proof([html, gone], [{ ...image, failed: true, status: 0 }]), { contradicts });
});

const wrong: [what: string, given: Parameters<typeof evidence>, message: RegExp][] = [
  ["a missing request", [[html], [image]], /s1\.lab\/gone\.png \(404\) was learnt, but not requested/],
  [
    "a request that was not learnt",
    [
      [html, gone],
      [image, answer("/b.png", 9)],
    ],
    /requested s2\.lab\/b\.png \(200\), which was not learnt/,
  ],
  [
    "a request that is made twice",
    [
      [html, gone],
      [image, image],
    ],
    /requested s2\.lab\/a\.png/,
  ],
  ["a wrong host", [[html, gone, image], []], /requested s1\.lab\/a\.png .*s2\.lab\/a\.png \(200\) was learnt/s],
  ["a wrong status", [[html, { ...gone, status: 200 }], [image]], /gone\.png \(200\), which was not learnt/],
  ["too few bytes", [[html, gone], [{ ...image, bytes: 4999 }]], /\/a\.png came with 4999 bytes instead of 5000/],
  [
    "a cancelled response",
    [[html, gone], [{ ...image, failed: true }]],
    /a\.png \(200, cancelled\), which was not learnt/,
  ],
  [
    "a host that does not answer",
    [[html, gone], [image], [{ url: "https://s2.lab:4432/c.png", why: "net::ERR_CONNECTION_RESET" }]],
    /requested s2\.lab\/c\.png \(0, cancelled\)/,
  ],
];
for (const [what, given, message] of wrong)
  test(`an imported page is contradicted by ${what}`, () => {
    const verdict = proof(...given);
    assert.ok(typeof verdict === "object" && "contradicts" in verdict);
    assert.match(verdict.contradicts.join("; "), message);
    assert.match(verdict.contradicts[0]!, /page mine requests something else than it did when it was learnt/);
  });

test("an imported page is contradicted if its requests were not learnt with the load's server", () =>
  assert.notEqual(
    axis.proves("mine", { ...values, server: "node" }, evidence([html, gone], [image]), registries),
    "confirmed",
  ));

test("the bytes that a load must receive do not include the bodies of optional requests", () =>
  assert.equal(bodyBytesOf(values, registries), 6000));

test("an image that the browser stopped reading when the page was learnt may have any number of bytes, but must be requested", () => {
  const stopped = learnt.map((one) => (one.path === "/a.png" ? { ...one, stopped: true as const } : one));
  const known = { ...registries, pages: { mine: { sha256: "", learnt: { "2-h2-nginx-chromium": stopped } } } };
  const short = evidence([html, gone], [answer("/a.png", 40)]);
  assert.equal(axis.proves("mine", values, short, known), "confirmed");
  assert.equal(bodyBytesOf(values, known), 1000, "it does not count towards the bytes that a load must receive");
  assert.match(
    JSON.stringify(proof([html, gone], [answer("/a.png", 40)])),
    /a\.png came with 40 bytes instead of 5000/,
  );
  assert.match(JSON.stringify(axis.proves("mine", values, evidence([html, gone], []), known)), /a\.png.*not requested/);
});

test("a request that the page cancelled when it was learnt may complete in a load", () => {
  const cancelled = learnt.map((one) => (one.path === "/a.png" ? { ...one, failed: true as const } : one));
  const known = { ...registries, pages: { mine: { sha256: "", learnt: { "2-h2-nginx-chromium": cancelled } } } };
  const whole = (bytes: number) =>
    axis.proves("mine", values, evidence([html, gone], [answer("/a.png", bytes)]), known);
  assert.equal(whole(5100), "confirmed");
  assert.match(JSON.stringify(whole(40)), /a\.png came with 40 bytes instead of 5000/);
});

test("a recorded page needs the server `replay`, a client that resolves its host names, a first view and its recorded scheme", () => {
  const all = {
    pages: {
      shop: {
        sha256: "",
        learnt: {},
        recorded: { url: "https://www.shop.test/", hosts: [["www.shop.test"], ["api.test"]] },
      },
      mine: { sha256: "", learnt: {} },
    },
    servers: { nginx: {}, replay: { replays: true } },
    clients: {
      chromium: {},
      firefox: { drivenBy: "WebDriver BiDi" },
      replay: { replays: { connections: 6, pipelines: false } },
    },
    protocols: { h2: { scheme: "https" }, h1c: { scheme: "http" } },
  } as unknown as Registries;
  const why = (page: string, change: Partial<ConditionValues>) =>
    axis.refuses!(page, { ...values, server: "replay", view: "first", ...change }, all);
  assert.equal(why("shop", {}), null);
  assert.match(why("shop", { server: "nginx" })!, /server nginx does not have; allowed: replay/);
  assert.match(why("shop", { client: "firefox" })!, /client firefox cannot resolve; chromium and chrome are allowed/);
  assert.match(why("shop", { client: "replay" })!, /cannot resolve/);
  assert.match(why("shop", { view: "repeat" })!, /first view/);
  assert.match(why("shop", { protocol: "h1c" })!, /recorded over TLS.*h1c cannot serve/);
  assert.match(why("mine", {})!, /server replay serves only recorded pages/);
  assert.equal(why("mine", { server: "nginx" }), null);
});

test("a lab host that serves several recorded host names may have as many connections as all these names together", () => {
  const recorded = { url: "https://a.test/", hosts: [["a.test", "b.test"], ["c.test"], ["d.test"]] };
  const pages = { mine: { sha256: "", learnt: {}, recorded } };
  const known = { pages, protocols: { h2: { connections: 1 } }, clients: { chromium: {} } } as unknown as Registries;
  assert.equal(mostConnections({ ...values, servers: 1 }, known), 8);
  assert.equal(mostConnections({ ...values, servers: 2 }, known), 6);
  assert.equal(mostConnections({ ...values, servers: 4 }, known), 4);
});
