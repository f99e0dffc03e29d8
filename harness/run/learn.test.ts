import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { test } from "node:test";
import { readRegistries } from "../../axes/registries.ts";
import type { LaneMessage } from "../../schema/lane-messages.ts";
import type { Registries } from "../../schema/registries.ts";
import { netns } from "../../substrate/netns.ts";
import { conditionOf } from "../plan/conditions.ts";
import { learnPages } from "./learn.ts";

const known = readRegistries();
const registries: Registries = { ...known, pages: { mine: { sha256: "", learnt: {} } } };
const values = { page: "mine", servers: 2, link: "20x2-20ms-0%", protocol: "h2", initcwnd: 10 };
const request = (host: string) => ({ host, path: "/", status: 200, bytes: 5 });

/** @param message the message that the lane prints */
const learn = (message: LaneMessage, printed: string[] = []) =>
  learnPages(
    { registries, seed: 1, timeoutSeconds: 1 },
    {
      conditions: [conditionOf(values, registries)],
      substrate: { ...netns, laneCommand: () => ["echo", JSON.stringify(message)] },
      signal: new AbortController().signal,
      print: (sentence) => void printed.push(sentence),
    },
  );

test("the requests that a page makes are added to the registries, and their number is printed", async () => {
  const printed: string[] = [];
  const requests = ["s1.lab", "s2.lab"].map(request);
  const { registries: learned } = await learn(
    {
      kind: "learned",
      learnt: { page: "mine", as: "2-h2-nginx-chromium", requests, outside: [], dialogs: [], notFound: [] },
    },
    printed,
  );
  assert.deepEqual(learned.pages.mine, { sha256: "", learnt: { "2-h2-nginx-chromium": requests } });
  assert.equal(printed.at(-1), "page mine, 2-h2-nginx-chromium: 2 requests, 10 bytes");
});

test("if a page does not load, the error message is exactly the lane's reason", () =>
  assert.rejects(learn({ kind: "not learned", reason: "page mine did not load: timeout" }), {
    message: "page mine did not load: timeout",
  }));

test("a page that requests files from fewer hosts than its condition has is refused", () =>
  assert.rejects(
    learn({
      kind: "learned",
      learnt: {
        page: "mine",
        as: "2-h2-nginx-chromium",
        requests: [request("s1.lab")],
        outside: [],
        dialogs: [],
        notFound: [],
      },
    }),
    /page mine over 2 hosts requests files from s1\.lab only: leave out servers=2/,
  ));

test("a page is refused if it gets a 404 for a file in its folder, and the message says which path to request", () => {
  const requests = ["s1.lab", "s2.lab"].map(request);
  const notFound = [{ path: "/about", file: "about/index.html" }];
  return assert.rejects(
    learn({
      kind: "learned",
      learnt: { page: "mine", as: "2-h2-node-chromium", requests, outside: [], dialogs: [], notFound },
    }),
    /requests \/about and gets a 404, but its folder has about\/index\.html, which this server serves at \/about\/: request that path$/,
  );
});

const twoPages = { ...registries, pages: { mine: { sha256: "", learnt: {} }, other: { sha256: "", learnt: {} } } };
const learnTwo = (lane: string[], printed: string[] = []) =>
  learnPages(
    { registries: twoPages, seed: 1, timeoutSeconds: 1 },
    {
      conditions: ["mine", "other"].flatMap((page) =>
        ["h1", "h2"].map((protocol) => conditionOf({ ...values, page, protocol, servers: 1 }, twoPages)),
      ),
      substrate: { ...netns, laneCommand: () => lane },
      signal: new AbortController().signal,
      print: (sentence) => void printed.push(sentence),
    },
  );
const learnt = (page: string, protocol: string): LaneMessage => ({
  kind: "learned",
  learnt: {
    page,
    as: `1-${protocol}-nginx-chromium`,
    requests: [request("s1.lab")],
    outside: [],
    dialogs: [],
    notFound: [],
  },
});
const says = (...messages: LaneMessage[]) => messages.map((one) => JSON.stringify(one)).join("\n");

test("if one of two pages loads over neither protocol, this is printed once, and the requests of the other page are learnt", async () => {
  const printed: string[] = [];
  const reason = "page mine did not load: timeout";
  const no: LaneMessage = { kind: "not learned", reason };
  const lane = ["echo", says(no, no, learnt("other", "h1"), learnt("other", "h2"))];
  const { leftOut, registries: learned } = await learnTwo(lane, printed);
  assert.deepEqual(
    leftOut,
    ["h1", "h2"].map((protocol) => ({ page: "mine", as: `1-${protocol}-nginx-chromium`, reason })),
  );
  assert.equal(printed.filter((line) => line === `Left out: ${reason}`).length, 1);
  const { other } = learned.pages;
  assert.deepEqual(Object.keys("learnt" in other! ? other.learnt : {}), ["1-h1-nginx-chromium", "1-h2-nginx-chromium"]);
});

test("a page that fails to load over one of its protocols is reported with that protocol", async () => {
  const printed: string[] = [];
  const no: LaneMessage = { kind: "not learned", reason: "page mine did not load: timeout" };
  await learnTwo(["echo", says(learnt("mine", "h1"), no, learnt("other", "h1"), learnt("other", "h2"))], printed);
  assert.equal(printed.at(-1), "Left out: page mine did not load: timeout (1-h2-nginx-chromium)");
});

test("a page at which a lane ends early is left out over every protocol, and another lane learns the requests of the other page", async () => {
  const file = `${mkdtempSync(`${tmpdir()}/lab-learn-test-`)}/again`;
  const script = `[ -e ${file} ] || { touch ${file}; echo crashed >&2; exit 1; }; echo '${says(learnt("other", "h1"), learnt("other", "h2"))}'`;
  const { leftOut = [] } = await learnTwo(["sh", "-c", script]);
  rmSync(dirname(file), { recursive: true });
  assert.deepEqual(
    leftOut.map(({ page }) => page),
    ["mine", "mine"],
  );
  assert.match(leftOut[0]!.reason, /^page mine did not load: a lane ended early \(exit code 1\)/);
});
