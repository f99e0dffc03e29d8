import assert from "node:assert/strict";
import { test } from "node:test";
import { blockRun } from "../record/find-run.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { refuseHost } from "./make-loads.ts";

test("a lane is refused if TCP settings of the client's host or of a server differ from the run's", () => {
  const { folder, manifest } = openRun(blockRun);
  const [first] = readSavedRun(folder, manifest).lanes;
  assert.doesNotThrow(() => refuseHost(manifest, first!, first!));
  const other = { ...first!, sysctls: { ...first!.sysctls, tcp_sack: "0", tcp_wmem: "1 2 3" } };
  assert.throws(() => refuseHost(manifest, other, first!), /tcp_sack was 0 on the client.*tcp_wmem was 1 2 3/s);
  const on = (news: Record<string, string>) => ({
    ...first!,
    serverSysctls: { server2: { ...first!.sysctls, ...news } },
  });
  assert.doesNotThrow(() => refuseHost(manifest, on({}), first!));
  assert.throws(() => refuseHost(manifest, on({ tcp_sack: "0" }), first!), /tcp_sack was 0 on server2/);
  assert.throws(() => refuseHost(manifest, on({ tcp_wmem: "1 2 3" }), on({})), /tcp_wmem was 1 2 3 on server2, and/);
});
