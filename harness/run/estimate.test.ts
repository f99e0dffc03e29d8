import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries } from "../../axes/registries.ts";
import { conditionOf } from "../plan/conditions.ts";
import { estimateSeconds } from "./estimate.ts";

const registries = readRegistries();

test("HTTP/1.1 is estimated to take as many round trips without TLS as with it, and HTTP/2 to take fewer", () => {
  const [h1, h1c, h2] = ["h1", "h1c", "h2"].map((protocol) => {
    const values = { page: "A", servers: 1, link: "Cable", protocol, initcwnd: 10 };
    return estimateSeconds(conditionOf(values, registries), registries.protocols);
  });
  assert.equal(h1c, h1);
  assert.ok(h2! < h1!);
});
