import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries } from "../../axes/registries.ts";
import { backgroundSteps } from "../../schema/background.ts";
import { conditionOf } from "../plan/conditions.ts";
import { estimateSeconds } from "./estimate.ts";

const registries = readRegistries();

test("a load's estimated time is the same over HTTP/1.1 with and without TLS, and shorter over HTTP/2", () => {
  const [h1, h1c, h2] = ["h1", "h1c", "h2"].map((protocol) => {
    const values = { page: "A", servers: 1, link: "Cable", protocol, initcwnd: 10 };
    return estimateSeconds(conditionOf(values, registries), registries.protocols);
  });
  assert.equal(h1c, h1);
  assert.ok(h2! < h1!);
});

test("background flows increase a load's estimated time by more than one step (`backgroundSteps.ms`)", () => {
  const [alone, beside] = (["none", "bulk-up"] as const).map((background) => {
    const values = { page: "A", servers: 1, link: "Cable", protocol: "h2", initcwnd: 10, background };
    return estimateSeconds(conditionOf(values, registries), registries.protocols);
  });
  assert.ok(beside! > alone! + backgroundSteps.ms / 1000);
});
