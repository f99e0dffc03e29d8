import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import type { Page } from "puppeteer-core";
import { followMoments } from "./devtools-moments.ts";

const frameId = "main";
const secondsAtStart = 100;

/** Makes a page whose browser reports a navigation start at 100 s, and the events that the test emits. */
function pageOf(session: EventEmitter): Page {
  const send = async (method: string) => {
    if (method === "Page.setLifecycleEventsEnabled") happened(session, "empty", "load", 99);
    if (method !== "Performance.getMetrics") return {};
    return { metrics: [{ name: "NavigationStart", value: secondsAtStart }] };
  };
  return { createCDPSession: async () => Object.assign(session, { send }) } as unknown as Page;
}

const happened = (session: EventEmitter, loaderId: string, name: string, timestamp: number) =>
  session.emit("Page.lifecycleEvent", { frameId, loaderId, name, timestamp });
const navigated = (session: EventEmitter, loaderId: string, url: string) =>
  session.emit("Page.frameNavigated", { frame: { id: frameId, loaderId, url } });

test("the load time comes from the page's own load event, even if a new renderer's empty document reports events first", async () => {
  const session = new EventEmitter();
  const moments = await followMoments(pageOf(session));
  happened(session, "another empty one", "init", 100.01);
  navigated(session, "page", "https://server1.lab/");
  happened(session, "page", "load", 100.5);
  assert.equal(await moments.loadedMs(0), 500);
  assert.equal(moments.goesOnTo?.(), null);
});

test("if another page replaces the first, the load time is the first page's, and the other page's URL is reported", async () => {
  const session = new EventEmitter();
  const moments = await followMoments(pageOf(session));
  navigated(session, "empty", "about:blank");
  navigated(session, "page", "https://server1.lab/");
  happened(session, "page", "load", 100.5);
  navigated(session, "next", "https://server1.lab/next");
  happened(session, "next", "load", 101);
  assert.equal(await moments.loadedMs(0), 500);
  assert.equal(moments.goesOnTo?.(), "https://server1.lab/next");
});

test("the load time is null if the page has no load event, even if another document has one", async () => {
  const session = new EventEmitter();
  const moments = await followMoments(pageOf(session));
  happened(session, "another empty one", "load", 100.01);
  navigated(session, "page", "https://server1.lab/");
  assert.equal(await moments.loadedMs(0), null);
});
