/** What a page asks for is learnt before a run begins; one that cannot be learnt is refused in the lane's own words alone. */
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

/** @param says what the lane prints */
const learn = (says: LaneMessage, heard: string[] = []) =>
  learnPages(
    { ...netns, laneCommand: () => ["echo", JSON.stringify(says)] },
    {
      conditions: [conditionOf(values, registries)],
      registries,
      seed: 1,
      timeoutMs: 1000,
      signal: new AbortController().signal,
      say: (sentence) => void heard.push(sentence),
    },
  );

test("what was learnt stands in the registries, and is said", async () => {
  const heard: string[] = [];
  const requests = ["s1.lab", "s2.lab"].map(request);
  const { pages } = await learn(
    { kind: "learned", learnt: { page: "mine", as: "2-h2-nginx-chromium", requests, outside: [] } },
    heard,
  );
  assert.deepEqual(pages.mine, { sha256: "", learnt: { "2-h2-nginx-chromium": requests } });
  assert.equal(heard.at(-1), "page mine, 2-h2-nginx-chromium: 2 requests, 10 bytes");
});

test("a page that does not load is refused for that, and for nothing else", () =>
  assert.rejects(learn({ kind: "not learned", reason: "page mine did not load: timeout" }), {
    message: "page mine did not load: timeout",
  }));

test("a page that asks fewer hosts than there are is refused", () =>
  assert.rejects(
    learn({
      kind: "learned",
      learnt: { page: "mine", as: "2-h2-nginx-chromium", requests: [request("s1.lab")], outside: [] },
    }),
    /page mine over 2 hosts asks s1\.lab alone: leave servers=2 out/,
  ));
