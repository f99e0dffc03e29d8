/** Turns a valid load into a failed attempt. The failure's cause counts only if evidence supports it. Only the runner writes lines without evidence. */
import type { Cause } from "../../schema/failure.ts";
import type { GoodLoad } from "../../schema/records.ts";
import { type Forgery, isVictim } from "./forgery.ts";

/** Records the load as a failed attempt with this cause. */
const failedBy = (
  what: string,
  cause: Cause,
  message: RegExp,
  change: (line: GoodLoad) => Partial<GoodLoad> = () => ({}),
): Forgery => ({
  what,
  forge(files) {
    const at = files.loads.findIndex(isVictim);
    const load = files.loads[at] as GoodLoad;
    const { ok: _, pageLoadMs: __, trace: ___, ...line } = { ...load, ...change(load) };
    files.loads[at] = { ...line, ok: false, reason: "it has no time", cause } as never;
  },
  message,
});

/** Changes the evidence as if the load event had not fired during this time. */
function endless({ evidence }: GoodLoad, elapsedMs = evidence.processor.elapsedMs) {
  const { loadedByProtocolMs: _, paint: __, recordedUntil: ___, ...seen } = evidence;
  return { evidence: { ...seen, timing: {}, processor: { ...evidence.processor, elapsedMs } } };
}
const timeoutMs = 120_000;

export const causes: Forgery[] = [
  failedBy("a load marked as timed out, without another change", "time-out", /1 missing/),
  failedBy("a load marked as timed out, without its load event", "time-out", /its time-out is 120 s/, endless),
  failedBy(
    "a load marked as timed out, without its load event, observed for the whole time-out",
    "time-out",
    /its wall time is \d+ ms, but the load took 120000 ms/,
    (line) => endless(line, timeoutMs),
  ),
  failedBy("a load marked as timed out, whose line has another RTT", "time-out", /its line has rttMs 999/, (line) => ({
    ...endless(line),
    rttMs: 999,
  })),
  failedBy(
    "a load marked as timed out, although the client reports its load event",
    "time-out",
    /its evidence has loadedByProtocolMs/,
    (line) => ({
      evidence: { ...line.evidence, timing: {}, loadedByProtocolMs: 800 },
    }),
  ),
  failedBy("a load marked as timed out, over a link with jitter", "time-out", /1 missing/, (line) => {
    const { evidence } = endless(line);
    const jitter = (one: typeof evidence.link.down) => ({ ...one, atStart: { ...one.atStart, jitterMs: 500 } });
    return { evidence: { ...evidence, link: { ...evidence.link, down: jitter(evidence.link.down) } } };
  }),
  failedBy("a load marked as timed out, while other programs used the processor", "time-out", /1 missing/, (line) => {
    const { evidence } = endless(line);
    return { evidence: { ...evidence, processor: { ...evidence.processor, otherMs: evidence.processor.elapsedMs } } };
  }),
  failedBy(
    "a load marked as a broken transfer, although its whole document arrived",
    "transfer broken",
    /is recorded as broken/,
    (line) => {
      const { evidence } = endless(line);
      const [first, ...rest] = evidence.connections;
      const [document, ...others] = first!.requests;
      const requests = [{ ...document!, mediaType: "text/html" }, ...others];
      return { evidence: { ...evidence, failed: 1, connections: [{ ...first!, requests }, ...rest] } };
    },
  ),
  failedBy("a load marked as refused by its lane, with its trace removed", "evidence", /1 missing/),
  failedBy("a load marked as a broken transfer, without another change", "transfer broken", /1 missing/),
  failedBy("a load whose mark says that its lane ended, but that has evidence", "lane ended", /lane ended.* wallMs 0/),
  failedBy(
    "a load whose mark says that its lane ended, without evidence, but with a wall time",
    "lane ended",
    /lane ended.* wallMs 0/,
    () => ({
      evidence: undefined as never,
    }),
  ),
];
