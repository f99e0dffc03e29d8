import assert from "node:assert/strict";
import { test } from "node:test";
import { ExitCode } from "../../../schema/errors.ts";
import { isAudited, refuseDifference } from "./audit.ts";
import type { Received } from "./received-result.ts";

const resultOf = (worker: string, ...reasons: string[]): Received => ({
  worker,
  messages: reasons.map((reason) => ({ kind: "not learned", reason })),
  broke: undefined,
});

test("an audit passes if both workers' lines are equal; otherwise the error names both workers and quotes the first line that differs", () => {
  refuseDifference(3, resultOf("a", "one", "two"), resultOf("b", "one", "two"));
  const differs = (...others: string[]) => refuseDifference(3, resultOf("a", "one", "two"), resultOf("b", ...others));
  assert.throws(() => differs("one", "three"), {
    exitCode: ExitCode.failed,
    message: /chunk 3 has different bytes on a and b; .*\n {2}.*"two".*\n {2}.*"three"/,
  });
  assert.throws(() => differs("one"), /"two".*\n {2}nothing/);
  assert.throws(() => differs("one", "two", "three"), /\n {2}nothing\n {2}.*"three"/);
});

test("an audit fails if the chunk ended early on only one of the two workers", () =>
  assert.throws(
    () => refuseDifference(0, resultOf("a"), { ...resultOf("b"), broke: "the guest ended" }),
    /nothing\n {2}the guest ended/,
  ));

test("isAudited selects about the requested share of chunks", () => {
  const jobs = Array.from({ length: 10_000 }, (_, i) => `run-${i}`);
  const audited = jobs.filter((job) => isAudited(job, 0.02)).length;
  assert.ok(audited > 150 && audited < 250, `${audited} of 10,000`); // 200 ± 3.5 standard deviations; the selection is the same each time
  assert.ok(jobs.every((job) => isAudited(job, 1) && !isAudited(job, 0)));
});
