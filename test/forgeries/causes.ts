/** Alters why a load has no time. A cause counts only together with the evidence; a line without its lane's data can come only from the runner. */
import type { Cause } from "../../schema/failure.ts";
import { type Forgery, isVictim } from "./forgery.ts";

/** The load is recorded as a failed attempt with this cause. */
const failedBy = (what: string, cause: Cause, message: RegExp, news: Record<string, unknown> = {}): Forgery => ({
  what,
  forge(files) {
    const at = files.loads.findIndex(isVictim);
    const { ok: _, pageLoadMs: __, trace: ___, ...line } = files.loads[at]!;
    files.loads[at] = { ...line, ok: false, reason: "it has no time", ...news, cause } as never;
  },
  message,
});

export const causes: Forgery[] = [
  failedBy("a load that timed out, by its cause alone", "time-out", /1 missing/),
  failedBy("a load whose transfer broke, by its cause alone", "transfer broken", /1 missing/),
  failedBy("a load during which its lane ended, with evidence", "lane ended", /lane ended.* is the runner's/),
  failedBy("a load during which its lane ended, at a time", "lane ended", /lane ended.* is the runner's/, {
    evidence: undefined,
  }),
];
