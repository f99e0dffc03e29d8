import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, RequestEvidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./compression.axis.ts";

type Compression = ConditionValues["compression"];
const learntBy = (encoding?: "gzip" | "br") => [
  { host: "s1.lab", path: "/index.html", status: 200, bytes: 700, ...(encoding && { encoding }) },
  { host: "s1.lab", path: "/a.png", status: 200, bytes: 5000 },
];
const registries = {
  pages: {
    A: { requests: 2, bodyBytes: 9, objects: {} },
    mine: {
      sha256: "",
      learnt: {
        "1-h2-nginx-chromium": learntBy("gzip"),
        "1-h2-nginx-chromium-br": learntBy("br"),
        "1-h2-nginx-chromium-none": learntBy(),
      },
    },
  },
  protocols: { h1c: { scheme: "http" }, h2: { scheme: "https" } },
  servers: { nginx: { encodings: ["gzip", "br"] }, h2o: { encodings: ["br"] } },
  clients: { chromium: {}, replay: { replays: { connections: 6 } } },
  defaults: { compression: "auto" },
} as unknown as Registries;
const all = (compression: Compression, news: Partial<ConditionValues> = {}) =>
  ({
    page: "mine",
    servers: 1,
    protocol: "h2",
    server: "nginx",
    client: "chromium",
    view: "first",
    compression,
    ...news,
  }) as ConditionValues;

const answer = (path: string, bytes: number, encoding?: string) =>
  ({
    path: `/${path}`,
    status: 200,
    bytes,
    startMs: 0,
    endMs: 1,
    ...(encoding && { encoding }),
  }) as RequestEvidence;
const proof = (compression: Compression, requests: RequestEvidence[], news: Partial<ConditionValues> = {}) =>
  axis.proves(
    compression,
    all(compression, news),
    { connections: [{ host: "s1.lab", requests }] } as unknown as Evidence,
    registries,
  );
const picture = answer("a.png", 5200);

test("text responses with the configured content-encoding and about the size of the compressed file confirm the compression", () => {
  assert.equal(proof("auto", [answer("index.html", 950, "gzip"), picture]), "confirmed");
  assert.equal(proof("br", [answer("index.html", 950, "br"), picture]), "confirmed");
  assert.equal(proof("none", [answer("index.html", 3200), picture]), "confirmed");
});

test("the compression is contradicted by a wrong content-encoding, an encoded image, or many more bytes than the compressed file has", () => {
  const words = (...given: Parameters<typeof proof>) => JSON.stringify(proof(...given));
  assert.match(
    words("auto", [answer("index.html", 3200)]),
    /index\.html came with content-encoding none instead of gzip/,
  );
  assert.match(words("br", [answer("index.html", 950, "gzip")]), /content-encoding gzip instead of br/);
  assert.match(words("none", [answer("index.html", 950, "gzip")]), /content-encoding gzip instead of none/);
  assert.match(
    words("auto", [answer("a.png", 5200, "gzip")]),
    /a\.png came with content-encoding gzip instead of none/,
  );
  assert.match(words("auto", [answer("index.html", 3200, "gzip")]), /3200 bytes; compressed by gzip it has 700/);
});

test("a file that was not requested when the page was learnt may be uncompressed or have the configured encoding, but no other encoding", () => {
  assert.equal(proof("auto", [answer("late.svg", 900, "gzip")]), "confirmed");
  assert.equal(proof("auto", [answer("late.svg", 900)]), "confirmed");
  assert.match(JSON.stringify(proof("auto", [answer("late.svg", 900, "br")])), /content-encoding br instead of none/);
});

test("a response with status 304 is not checked, because it has no body", () =>
  assert.equal(
    proof("auto", [answer("index.html", 950, "gzip"), { ...answer("index.html", 60, "gzip"), status: 304 }]),
    "confirmed",
  ));

test("a generated page's responses must be uncompressed", () => {
  assert.equal(proof("auto", [answer("index.html", 950)], { page: "A" }), "confirmed");
  assert.match(
    JSON.stringify(proof("auto", [answer("index.html", 950, "gzip")], { page: "A" })),
    /gzip instead of none/,
  );
});

test("a compression that the page, server, protocol or client does not support is refused, and the message lists what is allowed", () => {
  const refusal = (compression: Compression, news: Partial<ConditionValues> = {}) =>
    axis.refuses!(compression, all(compression, news), registries);
  assert.equal(refusal("auto"), null);
  assert.equal(refusal("auto", { page: "A", server: "h2o" }), null);
  assert.equal(refusal("auto", { client: "replay" }), null);
  assert.match(refusal("gzip", { page: "A" })!, /page A is generated.*auto is allowed/);
  assert.match(
    refusal("auto", { server: "h2o" })!,
    /server h2o cannot send texts with content coding gzip; allowed: br, none/,
  );
  assert.match(
    refusal("br", { protocol: "h1c" })!,
    /over h1c, without TLS, browsers do not ask for Brotli; gzip is allowed/,
  );
  assert.match(
    refusal("br", { client: "replay" })!,
    /client replay does not request compression; auto and none are allowed/,
  );
});

test("a recorded page's responses must have the recorded content-encoding, such as zstd, also for errors and for several responses to one URL", () => {
  const learnt = [
    { host: "s1.lab", path: "//a.test/", status: 200, bytes: 700, encoding: "zstd" },
    { host: "s1.lab", path: "//a.test/gone", status: 404, bytes: 300, encoding: "br" },
    { host: "s1.lab", path: "//a.test/api", status: 200, bytes: 20 },
    { host: "s1.lab", path: "//a.test/api", status: 200, bytes: 900, encoding: "gzip" },
  ];
  const recorded = { url: "https://a.test/", hosts: [["a.test"]] };
  const mine = { sha256: "", learnt: { "1-h2-replay-chromium": learnt }, recorded };
  const known = { ...registries, pages: { mine } } as unknown as Registries;
  const proof = (...requests: RequestEvidence[]) =>
    axis.proves(
      "auto",
      all("auto", { server: "replay" }),
      { connections: [{ host: "s1.lab", requests }] } as unknown as Evidence,
      known,
    );
  const api = answer("/a.test/api", 40);
  const whole = [answer("/a.test/", 800, "zstd"), { ...answer("/a.test/gone", 400, "br"), status: 404 }, api];
  assert.equal(proof(...whole, answer("/a.test/api", 9000, "gzip"), answer("/a.test/font", 90, "br")), "confirmed");
  assert.match(JSON.stringify(proof(answer("/a.test/", 800, "gzip"))), /content-encoding gzip instead of zstd/);
  assert.match(JSON.stringify(proof(answer("/a.test/api", 800, "br"))), /content-encoding br instead of none/);
});
