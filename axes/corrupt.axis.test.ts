import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./corrupt.axis.ts";

function verdict(percent: number, kernel: number | undefined, damaged: number | undefined): string {
  const is = kernel === undefined ? {} : { corruptPercent: kernel };
  const way = { atStart: is, atEnd: is };
  const evidence = { link: { down: { ...way, damagedPackets: damaged }, up: way } } as unknown;
  const found = axis.proves(percent, {} as ConditionValues, evidence as Evidence, {} as Registries);
  return typeof found === "object" ? Object.values(found).flat().join("; ") : found;
}

test("corruption is confirmed if the kernel reports the configured share and damaged packets arrived", () => {
  assert.equal(verdict(1, 1, 4), "confirmed");
  assert.equal(verdict(0, undefined, undefined), "confirmed");
  assert.match(verdict(1, 1, 0), /^by chance, no packet of the load arrived damaged$/);
});

test("corruption is contradicted if the kernel reports another share, or if packets arrive damaged although none should", () => {
  assert.match(verdict(2, 1, 4), /down corruptPercent 1 instead of 2/);
  assert.match(verdict(1, undefined, undefined), /down corruptPercent none instead of 1/);
  assert.match(verdict(0, 1, 4), /corruptPercent 1 instead of none.*; 4 packets arrived damaged/);
});

test("corruption beside background flows is refused, because checking all their packets would take too long", () => {
  const refused = (percent: number, background: ConditionValues["background"]) =>
    axis.refuses?.(percent, { background } as ConditionValues, {} as Registries);
  assert.match(refused(1, "bulk-up") ?? "", /background none is allowed/);
  assert.deepEqual([refused(1, "none"), refused(0, "bulk-up")], [null, null]);
});
