import assert from "node:assert/strict";
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

/** @param message what the lane prints */
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

test("what was learned is in the registries, and is printed", async () => {
  const printed: string[] = [];
  const requests = ["s1.lab", "s2.lab"].map(request);
  const { registries: learned } = await learn(
    { kind: "learned", learnt: { page: "mine", as: "2-h2-nginx-chromium", requests, outside: [], notFound: [] } },
    printed,
  );
  assert.deepEqual(learned.pages.mine, { sha256: "", learnt: { "2-h2-nginx-chromium": requests } });
  assert.equal(printed.at(-1), "page mine, 2-h2-nginx-chromium: 2 requests, 10 bytes");
});

test("a page that does not load is refused for that, and for nothing else", () =>
  assert.rejects(learn({ kind: "not learned", reason: "page mine did not load: timeout" }), {
    message: "page mine did not load: timeout",
  }));

test("a page that requests files of fewer hosts than there are is refused", () =>
  assert.rejects(
    learn({
      kind: "learned",
      learnt: { page: "mine", as: "2-h2-nginx-chromium", requests: [request("s1.lab")], outside: [], notFound: [] },
    }),
    /page mine over 2 hosts requests files from s1\.lab only: leave servers=2 out/,
  ));

test("a page whose request for a file that it has is answered with 404 is refused, and the message says where the file is", () => {
  const requests = ["s1.lab", "s2.lab"].map(request);
  const notFound = [{ path: "/about", file: "about/index.html" }];
  return assert.rejects(
    learn({ kind: "learned", learnt: { page: "mine", as: "2-h2-node-chromium", requests, outside: [], notFound } }),
    /requests \/about and gets a 404, but its folder has about\/index\.html, which this server has at \/about\/: request that path$/,
  );
});
