import assert from "node:assert/strict";
import { test } from "node:test";
import { needsOwnKernel } from "./user-mode-kernel.ts";

test("processors with AMX need the lab's own kernel, and others do not", () => {
  assert.equal(needsOwnKernel("model name\t: x\nflags\t\t: fpu avx512f amx_bf16 amx_tile amx_int8\n"), true);
  assert.equal(needsOwnKernel("model name\t: amx_tile\nflags\t\t: fpu avx avx2 avx512f\n"), false);
});
