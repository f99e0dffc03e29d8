/** How an attempt at a load is named: in keys of maps, in sentences and in titles. */

/** A load's record has the id of its condition; a planned load has the condition itself. */
interface Load {
  block: number;
  condition: string | { id: string };
}
interface Attempt extends Load {
  attempt: number;
}

const idOf = ({ condition }: Load): string => (typeof condition === "string" ? condition : condition.id);

export const loadKey = (load: Load): string => `${load.block} ${idOf(load)}`;

export const attemptKey = (load: Attempt): string => `${load.block} ${load.attempt} ${idOf(load)}`;

export const attemptInWords = (load: Attempt): string => `block ${load.block}, attempt ${load.attempt}, ${idOf(load)}`;

/** Names an attempt in lists and exports. The condition comes first, because readers look for it there. */
export const attemptTitle = (load: Attempt): string => `${idOf(load)}, block ${load.block}, attempt ${load.attempt}`;
