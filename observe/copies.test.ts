import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sighting } from "../schema/observation.ts";
import { copiesIn, withoutCopies } from "./copies.ts";

const packets = (...marks: number[]): Sighting[] => marks.map((mark, i) => [i, 66, mark]);

test("if a packet arrives more often than it was sent, the extra arrivals are copies, even if other packets are lost", () => {
  assert.equal(copiesIn(packets(1, 2, 3), packets(1, 3)), 0);
  assert.equal(copiesIn(packets(1, 2, 3), packets(1, 1, 2, 3, 3, 3)), 3);
});

test("copiesIn counts neither the arrivals of two equal packets that were both sent, nor packets that were sent before the link was set up", () => {
  assert.equal(copiesIn(packets(7, 7), packets(7, 7)), 0);
  assert.equal(copiesIn(packets(7, 7), packets(7, 7, 7)), 1);
  assert.equal(copiesIn(packets(1), packets(9, 9, 1)), 0);
});

test("withoutCopies keeps only the first of several equal packets, but keeps every reset", () => {
  const all = [1, 2, 1, 3, 3, 4, 4].map((mark, place) => ({ mark, place, reset: mark === 4 }));
  assert.deepEqual(
    withoutCopies(all).map(({ place }) => place),
    [0, 1, 3, 5, 6],
  );
});
