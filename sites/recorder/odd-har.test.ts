/** HARs with impossible values become recordings all the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { entryOf, html, recordingOf } from "./har-recording.fixture.ts";

test("an entry that no recording can have is left out with its number, and the rest is kept", () => {
  const { all, leftOut, recording } = recordingOf(
    [
      html("https://a.test/"),
      entryOf("https://a.test/space", { method: "G T" }),
      entryOf("https://a.test/half", { status: 200.5 }),
      entryOf("https://a.test/late", { entry: { startedDateTime: 1e300 } }),
    ],
    { creator: { name: "Two\nlines", version: "1" } },
  );
  assert.deepEqual(all, ["GET https://a.test/ 200", "GET https://a.test/late 200"]);
  assert.match(leftOut, /^1 entry left out: its method is invalid \("G T"\) \(number 2\)$/m);
  assert.match(leftOut, /^1 entry without a response \(number 3\)$/m);
  assert.equal(recording.recordedBy, "Two\\nlines 1");
});

test("a recording whose only time is impossible has today's date", () => {
  for (const startedDateTime of [1e300, 1.7e15, "+055840-01-01T00:00:00Z"]) {
    const { recording } = recordingOf([{ ...html("https://a.test/"), startedDateTime }]);
    assert.ok(Math.abs(Date.parse(recording.recordedAt) - Date.now()) < 60_000, `${startedDateTime}`);
  }
});
