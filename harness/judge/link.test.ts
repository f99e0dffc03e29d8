/** What a load's packets, and the shaper's kernel, say of its link. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Registries } from "../../schema/registries.ts";
import { conditionOf } from "../plan/conditions.ts";
import { judgeLoad } from "./load.ts";
import {
  always,
  asked,
  connections,
  counters,
  good,
  judge,
  link,
  packets,
  path,
  registries,
  transit,
  way,
  withTransit,
} from "./sample-load.ts";

test("a link with jitter, reordering and an AQM is compared with what its kernel reports, and its packets' bounds move with it", () => {
  const changed = { jitter: 10, reorder: "on", aqm: "fq_codel" };
  const news = { jitterMs: 10, reorders: true as const, aqm: "fq_codel" };
  // Below a token bucket the first packet takes no time; jitter adds some.
  const seen = { ...transit(10), least: { ms: 53, bytes: 66 }, reordered: 2 };
  const evidence = {
    link: { down: { ...counters, ...always(10, news) }, up: { ...counters, ...always(1, news) } },
    packets: {
      ...packets,
      path: {
        down: { ...way, transit: seen },
        up: { ...way, transit: { ...transit(1), least: { ms: 50, bytes: 66 }, reordered: 0 } },
      },
    },
  };
  assert.deepEqual(judge(evidence, changed).contradictions, []);
  assert.match(
    judge({}, changed).contradictions.join("; "),
    /down jitterMs none instead of 10.*down reorders none instead of true.*down aqm none/s,
  );
  assert.match(
    judge(evidence, { ...changed, jitter: 1 }).contradictions.join("; "),
    /the quickest packet took 53 ms instead of 50/,
  );
});

test("where one direction alone loses packets, the other one's kernel loses none, and none were lost", () => {
  const oneWay = { loss: 5, lossIn: "down" };
  const lossy = { link: { ...link, down: { ...link.down, ...always(10, { lossPercent: 5 }) } } };
  assert.deepEqual(judge(lossy, oneWay).contradictions, []);
  assert.match(
    judge(lossy, { loss: 5 }).contradictions.join(),
    /when the load began, the link had up lossPercent 0 instead of 5/,
  );
  const both = {
    link: { down: lossy.link.down, up: { ...link.up, ...always(1, { lossPercent: 5 }), lostPackets: 1 } },
  };
  assert.match(
    judge(both, oneWay).contradictions.join(),
    /up lossPercent 5 instead of 0.*up: 1 packet lost where only the other direction loses/s,
  );
});

test("of a small page no two packets need have waited for one another: its rates are not observable", () => {
  const seen = { ...packets, path: { ...path, down: { ...path.down, transit: { ...transit(10), backToBack: null } } } };
  const small = { ...registries, pages: { A: { ...registries.pages.A!, bodyBytes: 12_000 } } } as Registries;
  const judged = (known: Registries) => judgeLoad(800, { ...good, packets: seen }, conditionOf(asked, known), known);
  assert.match(judged(small).notObservable.down ?? "", /too few packets waited for one another/);
  assert.match(judged(registries).contradictions.join(), /down: no two packets were seen/);
});

test("a rate that all of a direction's bytes together could not tell is not observable; where they could, one is to be there", () => {
  const none = withTransit("up", { ...transit(1), backToBack: null });
  const little = { link: { ...link, up: { ...link.up, sentPackets: 9, sentBytes: 900 } } };
  assert.match(judge(none).contradictions.join(), /up: no two packets were seen to leave the queue back to back/);
  assert.match(judge({ ...none, ...little }).notObservable.up!, /up: too few packets waited/);
  const clear = { connections: connections.map(({ tls: _, ...one }) => one) };
  assert.match(judge({ ...none, ...clear }).notObservable.up!, /up: a request in the clear is one packet/);
  const jittered = { ...link.up, atStart: { ...link.up.atStart, jitterMs: 20 } };
  assert.match(judge({ ...none, link: { ...link, up: jittered } }).notObservable.up!, /longer than the jitter/);
});
