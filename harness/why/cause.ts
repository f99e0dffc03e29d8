/** A cause of waiting. Each cause is a file in causes/, `<name>.cause.ts`, that exports `cause`. */
import type { ConditionValues, Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import type { Part } from "../explain/parts.ts";

export interface Cause {
  /** The cause's name on the command line: "random-loss". */
  name: string;
  /** Text for the beginning of a sentence: "Random loss". */
  title: string;
  /** What replaces the cause when it is removed, for the end of a sentence: "a queue of 1,000 packets". */
  instead: string;
  /** The axis values that remove the cause from a load. The axes' evidence confirms that it is removed. */
  removed: Values;
  /** Whether a condition whose values differ from `removed` has the cause. Without this function, every such condition has the cause. */
  isIn?(all: ConditionValues, registries: Registries): boolean;
  /** Returns why the cause cannot be removed from a condition although the axes allow the values in `removed`; null if it can be removed. */
  cannot?(all: ConditionValues, registries: Registries): string | null;
  /** The parts of a critical path that `./lab explain` attributes to the cause. */
  parts: readonly Part[];
}

export function hasCause({ removed, isIn }: Cause, all: ConditionValues, registries: Registries): boolean {
  const values: Values = all;
  return Object.entries(removed).some(([axis, value]) => values[axis] !== value) && (isIn?.(all, registries) ?? true);
}
