/** What a load's packets and the shaper's kernel show about its link. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Direction, directions } from "../../../schema/link.ts";
import { always, counters, judge, link, packets, transit, way, withTransit } from "../load/sample-load.fixture.ts";

test("a load is valid if the kernel has the configured jitter, reordering and AQM, and jitter explains the delay of the quickest packet", () => {
  const changed = { jitter: 10, reorder: "on", aqm: "fq_codel" };
  const news = { jitterMs: 10, reorders: true as const, aqm: "fq_codel" };
  // The first packet passes a token bucket at once; jitter adds some delay.
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

test("with loss only in the down direction, a loss rate or a lost packet in the up direction is a contradiction", () => {
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
    /up lossPercent 5 instead of 0.*up: 1 packet lost; only the other direction loses any/s,
  );
});

test("a direction's rate is not observable if no packet had to queue; after a burst of 30,000 bytes, a missing rate is a contradiction", () => {
  const none = (name: Direction, sentAtOnceBytes: number) =>
    withTransit(name, { ...transit(1), backToBack: null, sentAtOnceBytes });
  for (const name of directions) {
    assert.match(judge(none(name, 600)).notObservable[name]!, /no packets were sent that must have waited/);
    const all = judge(none(name, 30_000)).contradictions.join();
    assert.match(all, new RegExp(`${name}: no two packets were seen to leave the queue back to back`));
  }
  const older = (name: Direction) => {
    const { sentAtOnceBytes: _, ...rest } = { ...transit(1), backToBack: null };
    return judge(withTransit(name, rest));
  };
  assert.match(older("down").contradictions.join(), /down: no two packets were seen to leave the queue back to back/);
  assert.match(older("up").notObservable.up!, /no packets were sent that must have waited/);
  const jittered = (jitterMs: number) => ({ ...link, up: { ...link.up, atStart: { ...link.up.atStart, jitterMs } } });
  const judgedWith = (jitterMs: number) => judge({ ...none("up", 3_000), link: jittered(jitterMs) });
  assert.match(judgedWith(0).contradictions.join(), /up: no two packets/);
  assert.match(judgedWith(20).notObservable.up!, /no packets were sent that must have waited/);
  const short = withTransit("up", { ...transit(1), backToBack: { packets: 9, bytes: 900, ms: 7.2 } });
  assert.match(judge(short).notObservable.up!, /too few packets waited for one another/);
});
