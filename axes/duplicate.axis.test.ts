import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./duplicate.axis.ts";

function verdict(percent: number, kernel: number | undefined, copies: number | undefined): string {
  const is = kernel === undefined ? {} : { duplicatePercent: kernel };
  const way = { atStart: is, atEnd: is };
  const evidence = { link: { down: way, up: way }, packets: { path: { down: { copies }, up: {} } } } as unknown;
  const found = axis.proves(percent, {} as ConditionValues, evidence as Evidence, {} as Registries);
  return typeof found === "object" ? Object.values(found).flat().join("; ") : found;
}

test("duplication is confirmed if the kernel reports the configured share and packets arrived twice", () => {
  assert.equal(verdict(1, 1, 4), "confirmed");
  assert.equal(verdict(0, undefined, undefined), "confirmed");
  assert.match(verdict(1, 1, 0), /^by chance, no packet of the load arrived twice$/);
});

test("duplication is contradicted if the kernel reports another share, or if packets arrive twice although none should", () => {
  assert.match(verdict(2, 1, 4), /down duplicatePercent 1 instead of 2/);
  assert.match(verdict(1, undefined, undefined), /down duplicatePercent none instead of 1/);
  assert.match(verdict(0, 1, 4), /duplicatePercent 1 instead of none.*; 4 packets arrived twice/);
});

test("duplication is refused together with random loss, because netem does not count the loss of duplicated packets", () => {
  const refused = (percent: number, loss: number) =>
    axis.refuses?.(percent, { loss } as ConditionValues, {} as Registries);
  assert.match(refused(1, 1) ?? "", /only loss=0% is allowed/);
  assert.deepEqual([refused(1, 0), refused(0, 1)], [null, null]);
});
