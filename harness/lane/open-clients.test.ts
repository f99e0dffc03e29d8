import assert from "node:assert/strict";
import { test } from "node:test";
import type { Registries } from "../../schema/registries.ts";
import type { Settings } from "../../schema/settings.ts";
import { http3Of } from "./open-clients.ts";

const registries = { protocols: { h2: { transport: "tcp" }, h3: { transport: "quic" } } } as unknown as Registries;
const how = (software: string, protocol: string, discovery?: Settings["client"]["discovery"]) =>
  http3Of(
    { client: { software, sysctls: {}, ...(discovery && { discovery }) }, page: { name: "A", hosts: 1, protocol } },
    registries,
  );

test("one process of Chromium loads pages over all protocols, because it forces HTTP/3 only at the port of HTTP/3", () =>
  assert.deepEqual([how("chromium", "h2"), how("chromium", "h3")], ["forced", "forced"]));

test("Firefox forces HTTP/3 at every port of a host, so another process makes the loads over other protocols", () =>
  assert.deepEqual([how("firefox", "h2"), how("firefox", "h3")], [undefined, "forced"]));

test("a browser that discovers HTTP/3 by an announcement is not forced to use HTTP/3", () =>
  assert.deepEqual(
    [how("chromium", "h3", "alt-svc"), how("firefox", "h3", "alt-svc"), how("chromium", "h3", "remembered")],
    ["announced", "announced", "announced"],
  ));
