/** What a cause of waiting is. Each is one file of causes/, `<name>.cause.ts`, that exports `cause`. */
import type { ConditionValues, Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import type { Part } from "../explain/parts.ts";

export interface Cause {
  /** On the command line: "random-loss". */
  name: string;
  /** At the beginning of a sentence: "Random loss". */
  title: string;
  /** What takes its place, at the end of a sentence: "a queue of 1,000 packets". */
  instead: string;
  /** The values of axes with which a load is without it. The axes' evidence shows that it is. */
  removed: Values;
  /** Whether a condition whose values are not those that remove it has it. Without this, each has. */
  isIn?(all: ConditionValues, registries: Registries): boolean;
  /** Why a condition that has it cannot be without it, though its axes could have the values; null if it can. */
  cannot?(all: ConditionValues, registries: Registries): string | null;
  /** The parts of a critical path that `./lab explain` attributes to it. */
  parts: readonly Part[];
}

/** Checks the types of one cause. */
export const defineCause = (cause: Cause): Cause => cause;

export function hasCause({ removed, isIn }: Cause, all: ConditionValues, registries: Registries): boolean {
  const values: Values = all;
  return Object.entries(removed).some(([axis, value]) => values[axis] !== value) && (isIn?.(all, registries) ?? true);
}
