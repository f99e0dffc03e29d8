import assert from "node:assert/strict";
import { test } from "node:test";
import { controlsIn, windowsIn } from "./begun-connections.ts";

const begins = (bytes: number, control?: string) =>
  `connection begins: ${control ? `congestion control ${control}, ` : ""}window ${bytes} bytes\n`;

test("controlsIn and windowsIn read the congestion controls and initial windows of connections from a server's log", () => {
  const twice = begins(12_000, "reno") + begins(12_000, "reno");
  assert.deepEqual([controlsIn(twice), windowsIn(twice)], [["reno"], [12_000]]);
  const two = `${begins(12_000, "cubic")}connection ended: timed out\n${begins(38_400, "bbr")}`;
  assert.deepEqual(
    [controlsIn(two), windowsIn(two)],
    [
      ["cubic", "bbr"],
      [12_000, 38_400],
    ],
  );
  assert.deepEqual([controlsIn(begins(12_000)), windowsIn(begins(12_000))], [[], [12_000]]);
});

test("controlsIn and windowsIn ignore other lines, even a line that quotes a line about a connection", () => {
  const quoted = `response ended: ${begins(12_000, "cubic")}`;
  assert.deepEqual([controlsIn(quoted), windowsIn(quoted)], [[], []]);
  assert.deepEqual(windowsIn("connection begins: window of 10 packets\n"), []);
});
