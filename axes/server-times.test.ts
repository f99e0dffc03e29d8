import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { isInconclusive } from "./axis.ts";
import { axis } from "./server-times.axis.ts";

const registries = {
  pages: {
    A: { objects: {} },
    mine: {
      learnt: {},
      serverTimes: { "index.html": 300, "img/a b.png": 80 },
      recorded: { url: "https://a.test/", hosts: [["a.test"], ["b.test"]], rttsMs: [70, 20] },
    },
    other: { learnt: {} },
  },
  hosts: [{ name: "s1.lab" }, { name: "s2.lab" }],
  defaults: { serverTimes: "none" },
} as unknown as Registries;
const link = {
  down: 10,
  up: 1,
  rtt: 100,
  loss: 0,
  queue: 50,
  jitter: 0,
  reorder: "off",
  burst: 1,
  lossIn: "both",
  aqm: "none",
};
const all = { page: "mine", servers: 2, thinkTime: 0, ...link } as ConditionValues;

/** @param answeredMs the time from request to response, for the document, "img/a b.png" and a style sheet */
const proof = (
  times: "none" | "recorded",
  answeredMs: number[],
  { lostPackets = 0, ...values }: { lostPackets?: number } & Partial<ConditionValues> = {},
) =>
  axis.proves(
    times,
    { ...all, ...values },
    {
      connections: [
        {
          host: "s1.lab",
          requests: ["index.html", "img/a%20b.png", "style.css"].slice(0, answeredMs.length).map((file, i) => ({
            ...{ path: `/${file}`, startMs: i * 1000, sentMs: i * 1000 },
            answeredMs: i * 1000 + answeredMs[i]!,
          })),
        },
      ],
      link: { down: { lostPackets, queueDroppedPackets: 0 }, up: { lostPackets: 0, queueDroppedPackets: 0 } },
    } as unknown as Evidence,
    registries,
  );

test("server times are confirmed by responses that arrive a round trip plus their recorded time after the request", () => {
  assert.equal(proof("recorded", [402, 181, 101]), "confirmed");
  assert.equal(proof("recorded", [402, 900, 101]), "confirmed", "a response may wait for others");
  assert.equal(proof("none", [102, 101, 101]), "confirmed");
});

test("server times are contradicted by a response that came too early, and by a document that came too late", () => {
  assert.deepEqual(proof("recorded", [402, 150, 101]), {
    contradicts: ["/img/a%20b.png was answered after 150.0 ms; at least 180 expected"],
  });
  assert.match(
    JSON.stringify(proof("recorded", [102, 181, 101])),
    /index\.html was answered after 102\.0 ms; at least 400/,
  );
  assert.match(JSON.stringify(proof("none", [402, 181, 101])), /index\.html was answered after 402\.0 ms; at most/);
  assert.equal(proof("none", [402, 181, 101], { lostPackets: 1 }), "confirmed", "the loss may have delayed it");
});

test("a response of a host that is farther away must come later by the host's extra RTT", () => {
  assert.equal(proof("recorded", [452, 231, 151], { hostRtts: "recorded" }), "confirmed");
  assert.match(JSON.stringify(proof("recorded", [402, 231, 151], { hostRtts: "recorded" })), /at least 450/);
  assert.match(JSON.stringify(proof("recorded", [510, 231, 151])), /at most/, "all hosts are equally far");
  assert.equal(proof("recorded", [510, 281, 201], { hostRtts: "recorded" }), "confirmed");
});

test("with serverTimes=none, each response must take the configured think time", () => {
  assert.equal(proof("none", [302, 301, 301], { thinkTime: 200 }), "confirmed");
  assert.match(JSON.stringify(proof("none", [302, 301, 301])), /at most/);
});

test("server times are not observable if the page has no recorded times, and inconclusive if a packet was lost and no response arrived", () => {
  assert.deepEqual(proof("none", [102], { page: "other" }), { notObservable: "the page has no recorded server times" });
  assert.ok(isInconclusive(proof("recorded", [], { lostPackets: 1 })));
});

test("serverTimes=recorded is refused for pages without recorded server times, and together with a think time", () => {
  const refusal = (news: Partial<ConditionValues>) => axis.refuses!("recorded", { ...all, ...news }, registries);
  assert.equal(refusal({}), null);
  for (const page of ["A", "other"]) assert.match(refusal({ page })!, /has no recorded server times/);
  assert.match(refusal({ thinkTime: 200 })!, /thinkTime would delay the same responses, too; thinkTime=0ms is allowed/);
});
