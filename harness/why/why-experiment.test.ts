import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries } from "../../axes/registries.ts";
import { axisNamed } from "../../axes/registry.ts";
import type { Condition } from "../../schema/plan.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { experimentSchema } from "../plan/experiment.ts";
import { valuesIn } from "../plan/select.ts";
import type { WhyPlan } from "../plan/why-plan.ts";
import { causeNamed, causes } from "./registry.ts";
import { causesOf, questionOf, questionOfConditions, seedOf, whyExperiment } from "./why-experiment.ts";

const registries = readRegistries();
const question = (lists: Record<string, string>) =>
  questionOf(
    Object.entries(lists).map(([name, list]) => {
      const axis = axisNamed(name, "test");
      return { axis, values: valuesIn(axis, list, "test") };
    }),
    registries,
  );
const asks = (lists: Record<string, string>, names: string[] = []) => {
  const asked = question(lists);
  const found = causesOf(
    asked,
    names.map((name) => causeNamed(name, "--causes")),
    causes,
    registries,
  );
  return { asked, found };
};
const planOf = (lists: Record<string, string>, names: string[] = [], quick?: true) => {
  const { asked, found } = asks(lists, names);
  const plan: WhyPlan = { ...asked, ...found, ...(quick && { quick }) };
  const experiment = whyExperiment(plan, { loads: 10, seed: 1 }, registries);
  return { plan, experiment, conditions: conditionsOf(experiment, registries) };
};
const protocols = { page: "C", protocol: "h1,h2", link: "10x1-100ms-1%" };
const shown = ({ values: { protocol, loss, queue } }: Condition) => `${protocol} ${loss} ${queue}`;

test("the experiment has loads of both sides for each set of removed causes", () => {
  const { conditions } = planOf(protocols, ["random-loss", "queue-limit"]);
  assert.deepEqual(conditions.map(shown).sort(), [
    ...["h1 0 1000", "h1 0 50", "h1 1 1000", "h1 1 50"],
    ...["h2 0 1000", "h2 0 50", "h2 1 1000", "h2 1 50"],
  ]);
});

test("in a quick run, the sets of removed causes are: none, each cause alone, all causes but one, and all causes", () => {
  const { conditions } = planOf(protocols, ["random-loss", "queue-limit", "rate"], true);
  assert.equal(conditions.length, 2 * (2 + 3 + 3));
  const all = planOf(protocols, ["random-loss", "queue-limit", "rate"]);
  assert.equal(all.conditions.length, 2 * 8);
});

test("the experiment can be stored in a manifest, and both sides share each block's losses", () => {
  const { experiment } = planOf(protocols, ["random-loss"]);
  const { timeoutSeconds: _, ...kept } = experiment;
  assert.deepEqual(experimentSchema.parse(JSON.parse(JSON.stringify(kept))), kept);
  assert.deepEqual(experiment.sharesLosses, { seed: 1 });
});

test("without --causes, the run uses all causes that a side has and that can be removed, except causes in which the sides differ", () => {
  const names = (lists: Record<string, string>) => asks(lists).found.causes.map(({ name }) => name);
  assert.deepEqual(names(protocols), [
    ...["hystart", "initial-window", "queue-limit", "random-loss", "rate"],
    ...["receive-window", "round-trip-time", "slow-start-after-idle"],
  ]);
  assert.ok(!names({ ...protocols, link: "10x1-100ms-0%" }).includes("random-loss"));
  assert.ok(names({ ...protocols, servers: "4" }).includes("several-hosts"));
  assert.ok(!names({ page: "C", protocol: "h2", initcwnd: "3,10" }).includes("initial-window"));
  assert.ok(!names({ page: "C", protocol: "h2", link: "Cable,4G" }).includes("rate"));
  assert.ok(!names({ page: "C", congestion: "cubic,bbr" }).includes("hystart"));
});

test("a cause that only one side has is removed only from that side", () => {
  const { plan, conditions } = planOf({ page: "C", protocol: "h2,h3", server: "caddy" }, ["receive-window"]);
  assert.deepEqual(plan.causes[0]!.from, [0]);
  assert.deepEqual(conditions.map(({ values: { protocol, initrwnd } }) => `${protocol} ${initrwnd}`).sort(), [
    ...["h2 1000", "h2 44", "h3 44"],
  ]);
});

test("a cause that cannot be removed is listed with the reason, and left out of the comparison", () => {
  const { found } = asks({ page: "C", protocol: "h2,h3", server: "caddy" });
  assert.match(found.notRemoved.find(({ name }) => name === "initial-window")!.reason, /initcwnd/);
  assert.ok(!found.causes.some(({ name }) => name === "initial-window"));
});

test("with client replay instead of a browser, the causes several-connections and one-request-at-a-time can be removed", () => {
  const names = ["several-connections", "one-request-at-a-time"];
  const { plan, conditions } = planOf({ ...protocols, client: "replay" }, names);
  assert.deepEqual(
    plan.causes.map(({ from }) => from),
    [[0], [0]],
  );
  assert.deepEqual(
    conditions.map(({ values: { protocol, client, connections } }) => `${protocol} ${client} ${connections}`).sort(),
    ["h1 pipelining-6 1", "h1 pipelining-6 own", "h1 replay 1", "h1 replay own", "h2 replay own"],
  );
  const pipelined = asks({ ...protocols, protocol: "h1", client: "replay,pipelining" }, ["several-connections"]).found;
  assert.deepEqual(pipelined.causes[0]!.from, [0]);
  const { notRemoved } = asks(protocols).found;
  for (const name of names) assert.match(notRemoved.find((one) => one.name === name)!.reason, /client replay/);
});

test("options are refused if no axis or more than one axis has several values, or if an axis has three values", () => {
  assert.throws(() => question({ protocol: "h1,h2", page: "A,C" }), /--protocol and --page have several values/);
  assert.throws(() => question({ protocol: "h1" }), /nothing to compare/);
  assert.throws(() => question({ protocol: "h1,h1c,h2" }), /--protocol has 3 values/);
});

test("the cause certificates cannot be removed over HTTP/1.1 with TLS 1.3, where only some connections resume sessions", () => {
  assert.match(
    asks(protocols).found.notRemoved.find(({ name }) => name === "certificates")!.reason,
    /several connections/,
  );
  const old = { ...protocols, tls: "1.2" };
  assert.ok(asks(old).found.causes.some(({ name }) => name === "certificates"));
});

test("if the sides are links that differ only in loss, the queue's limit can be removed, but not the loss", () => {
  const { plan, conditions } = planOf({ page: "A", link: "10x1-100ms-1%,10x1-100ms-0%", queue: "200" }, [
    "queue-limit",
  ]);
  assert.equal(plan.causes.length, 1);
  assert.equal(conditions.length, 4);
  assert.throws(() => asks({ page: "A", link: "10x1-100ms-1%,10x1-100ms-0%" }, ["random-loss"]), /sides differ in it/);
});

test("loss in bursts or in one direction can be removed, too", () => {
  for (const lossy of [{ lossIn: "down" }, { burst: "2" }] as Record<string, string>[])
    assert.equal(planOf({ ...protocols, ...lossy }, ["random-loss"]).conditions.length, 4);
});

test("the printed command gives the same plan, with the same seed", () => {
  const commandOf = (lists: Record<string, string>) => planOf(lists, ["queue-limit"]).experiment.source;
  const { asked } = asks(protocols, ["queue-limit"]);
  assert.equal(seedOf(question({ ...protocols, tls: "1.3" })), seedOf(asked)); // 1.3 is the default of --tls
  assert.match(commandOf(protocols), /--seed 1$/); // these tests do not use the default seed
  const found = causesOf(asked, [causeNamed("rate", "")], causes, registries);
  const own = whyExperiment({ ...asked, ...found }, { loads: 10, seed: seedOf(asked) }, registries).source;
  assert.equal(
    own,
    "./lab why --protocol h1,h2 --page C --servers 1 --link 10x1-100ms-1% --initcwnd 10 --causes rate --loads 10",
  );
  const timed = (timeout: number) =>
    whyExperiment({ ...asked, ...found }, { loads: 10, seed: seedOf(asked), timeout }, registries).source;
  assert.equal(timed(planOf(protocols, ["rate"]).experiment.timeoutSeconds), own); // the default time-out is not printed
  assert.match(timed(7), /--timeout "7 s"$/);
  const [h1, h2] = planOf(protocols, ["random-loss"]).conditions;
  const saved = questionOfConditions([h1!, h2!], "run");
  const source = whyExperiment({ ...saved, ...found }, { loads: 10, seed: seedOf(saved) }, registries).source;
  assert.match(source, /--down 10Mb\/s .*--seed \d+$/);
});

test("two conditions of a saved run can be compared only if they differ in exactly one axis", () => {
  const [h1, h2, ...others] = planOf(protocols, ["random-loss"]).conditions;
  const { compared, sides, fixed } = questionOfConditions([h1!, h2!], "run");
  assert.deepEqual([compared, ...sides, fixed.loss, fixed.page], ["protocol", "h1", "h2", 1, "C"]);
  assert.throws(() => questionOfConditions([h1!], "run"), /run has 1 condition with these values/);
  assert.throws(() => questionOfConditions([h1!, h2!, others[0]!], "run"), /run has 3 conditions/);
  assert.throws(() => questionOfConditions([h1!, others.at(-1)!], "run"), /they differ in /);
});

test("a requested cause is refused if it is unknown, if neither side has it, or if the sides differ in it", () => {
  assert.throws(
    () => asks({ ...protocols, link: "10x1-100ms-0%" }, ["random-loss"]),
    /random-loss: neither side has it/,
  );
  assert.throws(() => asks({ page: "C", protocol: "h2", initcwnd: "3,10" }, ["initial-window"]), /sides differ in it/);
  assert.throws(
    () => causeNamed("gravity", "--causes gravity"),
    /unknown cause "gravity"; known: background, certificates, /,
  );
});
