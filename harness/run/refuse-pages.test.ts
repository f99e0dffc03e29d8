import assert from "node:assert/strict";
import { test } from "node:test";
import { conditions } from "../report/tables/synthetic-loads.ts";
import { refusePages } from "./refuse-pages.ts";

const asked = conditions({ page: ["A", "C"] });
const megabyte = 1e6;

test("a page whose bytes or requests alone are more packets than the captures hold is refused, with both", () => {
  assert.throws(
    () => refusePages(asked, (name) => ({ requests: 2, bytes: name === "C" ? 100 * megabyte : 1 })),
    /page C is too large to be proven: 2 requests and 100\.0 MB take more than 69064 packets, .* room for some 20000/,
  );
  assert.throws(() => refusePages(asked, () => ({ requests: 10_001, bytes: 0 })), /page A is too large/);
});

test("one of 5,000 small objects is not refused, nor are the lab's own", () => {
  refusePages(asked, () => ({ requests: 5001, bytes: 5 * megabyte }));
  refusePages(asked);
});
