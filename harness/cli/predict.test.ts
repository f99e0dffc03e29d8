import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries } from "../../axes/registries.ts";
import { conditionOf } from "../plan/conditions.ts";
import { asked } from "./predict.ts";

const registries = readRegistries();
const from = conditionOf(
  { page: "A", servers: 1, link: "20x2-100ms-0%", protocol: "h2", initcwnd: 10 } as const,
  registries,
);
const ids = (...replacements: string[]) => asked(from, replacements, registries).map(({ id }) => id);

test("RTT, rate, loss, window and HyStart may differ, together too", () =>
  assert.deepEqual(ids("rtt=20ms,50ms", "rate=10/1", "loss=1%", "initcwnd=3", "congestion=cubic-no-hystart"), [
    "A/1s/10x1-20ms-1%/h2/iw3/cubic-no-hystart",
    "A/1s/10x1-50ms-1%/h2/iw3/cubic-no-hystart",
  ]));

test("another page, protocol, server, queue or congestion control is refused by name", () => {
  for (const [axis, value] of [
    ["page", "B"],
    ["protocol", "h1"],
    ["servers", "2"],
    ["queue", "100 packets"],
    ["congestion", "bbr"],
    ["server", "caddy"],
  ] as const)
    assert.throws(() => ids(`${axis}=${value}`), new RegExp(`cannot be foretold: another ${axis} changes`), axis);
  assert.throws(() => ids("rtt=50ms", "page=B"), /another page changes/);
});

test("HTTP/3 is refused: with a server that speaks it, it is another protocol and another server", () =>
  assert.throws(() => ids("protocol=h3", "server=caddy"), /another .*protocol/));
test("nothing to change is no question", () => assert.throws(() => ids(), /--with/));
