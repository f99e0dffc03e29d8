import assert from "node:assert/strict";
import { test } from "node:test";
import { parseQuantity } from "./units.ts";

test("parseQuantity reads a number with its unit", () => {
  assert.equal(parseQuantity("rateMbps", "10 Mb/s", "x"), 10);
  assert.equal(parseQuantity("rateMbps", "1.5Mb/s", "x"), 1.5);
  assert.equal(parseQuantity("rttMs", "0 ms", "x"), 0);
  assert.equal(parseQuantity("lossPercent", "0.1 %", "x"), 0.1);
  assert.equal(parseQuantity("queuePackets", "50 packets", "x"), 50);
  assert.equal(parseQuantity("burstPackets", "1 packet", "x"), 1);
  assert.equal(parseQuantity("timeoutSeconds", "120 s", "x"), 120);
});

const wrong: [Parameters<typeof parseQuantity>[0], unknown, RegExp][] = [
  ["rateMbps", "10", /f\.yml: down: "10" is not a value like "10 Mb\/s"/],
  ["rateMbps", "10 kb/s", /not a value like/],
  ["rateMbps", "-1 Mb/s", /"-1 Mb\/s" is out of range; 0\.01 to 1000 is allowed/],
  ["rateMbps", "1e9 Mb/s", /not a value like/],
  ["rttMs", 20, /not a value like "100 ms"/],
  ["rttMs", "20 s", /not a value like/],
  ["rttMs", "-5 ms", /out of range/],
  ["rttMs", "1.2.3 ms", /not a value like/],
  ["lossPercent", "101 %", /out of range; 0 to 50 is allowed/],
  ["queuePackets", "0 packets", /out of range/],
  ["queuePackets", "1.5 packets", /not a value like/],
  ["timeoutSeconds", "0 s", /out of range/],
];
for (const [quantity, text, message] of wrong)
  test(`${quantity} ${JSON.stringify(text)} is refused`, () =>
    assert.throws(() => parseQuantity(quantity, text, "f.yml: down"), message));
