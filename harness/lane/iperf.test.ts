import assert from "node:assert/strict";
import { test } from "node:test";
import { unreported } from "./iperf.ts";

const report = (seconds: number, error?: string) => ({
  intervals: Array.from({ length: seconds }, () => ({})),
  ...(error === undefined ? {} : { error }),
});

test("an iperf3 report on the whole test is accepted, even if the closing messages were lost", () => {
  assert.equal(unreported(report(26, "unable to receive results"), 26), null);
  assert.equal(unreported(report(25, "interrupt - the client has terminated"), 26), null);
});

test("an iperf3 report on only a part of the test is a problem that quotes iperf3's error", () => {
  assert.equal(unreported(report(0, "unable to connect to server"), 3), "unable to connect to server, after 0 of 3 s");
  assert.equal(unreported(report(1), 3), "no error, after 1 of 3 s");
});
