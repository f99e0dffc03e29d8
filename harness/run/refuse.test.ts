import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries, usedBy } from "../../axes/registries.ts";
import { compose } from "../../substrate/compose.ts";
import { guest } from "../../substrate/guest.ts";
import { netns } from "../../substrate/netns.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun, referenceRun } from "../record/run-folder.ts";
import { conditions, registries } from "../report/tables/synthetic-loads.ts";
import { refuseChange, refuseHost, refuseUnsettable } from "./refuse.ts";

test("an axis that a substrate cannot set is refused by its name and value, with the reason", () => {
  const wide = conditions({ initrwnd: [44, 100] });
  assert.throws(
    () => refuseUnsettable(wide, registries, compose),
    /initrwnd 100 sets client\.sysctls\.net\.ipv4\.tcp_rmem, which compose cannot: \/proc\/sys is read-only/,
  );
  assert.doesNotThrow(() => refuseUnsettable(conditions({ initrwnd: [10, 44] }), registries, compose));
  assert.doesNotThrow(() => refuseUnsettable(wide, registries, netns));
  for (const substrate of [compose, netns])
    assert.throws(
      () => refuseUnsettable(conditions({ delayedAcks: ["always"] }), registries, substrate),
      /delayedAcks always sets client\.sysctls\.net\.ipv4\.tcp_max_quickacks, which \w+ cannot: its kernel has no such/,
    );
  assert.throws(
    () => refuseUnsettable(conditions({ congestion: ["abc2"] }), registries, netns),
    /congestion abc2 sets route\.server\.congestion, which netns cannot: its kernel has .*; --clock virtual has .*abc2$/,
  );
  assert.throws(
    () => refuseUnsettable(conditions({ cpu: [1, 4] }), registries, guest(1, 0)),
    /cpu 4x sets client\.cpuSlowdown, which guest cannot: on the virtual clock computing takes no time/,
  );
});

test("a run of another version is not gone on with, and nothing of it is changed", () =>
  assert.throws(
    () => refuseChange(openRun(referenceRun).manifest, referenceRun),
    /results\/reference cannot be resumed: it was begun in version 2 of the records, and this lab writes 3/,
  ));

test("a run whose names mean something else now is not gone on with, and the name is named", () => {
  const { manifest: recorded } = openRun(referenceRun);
  const manifest = { ...recorded, registries: usedBy(conditionsOfRun(recorded), readRegistries()) };
  const current = { ...manifest, recordedVersion: 3 };
  const links = {
    ...manifest.registries.links,
    "10x1-20ms-0%": { ...manifest.registries.links["10x1-20ms-0%"]!, rttMs: 21 },
  };
  assert.doesNotThrow(() => refuseChange(current, "run"));
  assert.throws(
    () => refuseChange({ ...current, registries: { ...manifest.registries, links } }, "run"),
    /links "10x1-20ms-0%" has changed: rttMs was 21 and is 20;/,
  );
  assert.throws(
    () => refuseChange({ ...current, registries: { ...manifest.registries, hosts: [] } }, "run"),
    /the hosts in compose\.yml have changed/,
  );
});

test("a lane whose TCP is not the run's is refused before its first load", () => {
  const { folder, manifest } = openRun(referenceRun);
  const [first] = readSavedRun(folder, manifest).lanes;
  assert.doesNotThrow(() => refuseHost(manifest, first!, first!));
  const other = { ...first!, sysctls: { ...first!.sysctls, tcp_sack: "0", tcp_wmem: "1 2 3" } };
  assert.throws(() => refuseHost(manifest, other, first!), /tcp_sack was 0 on the client.*tcp_wmem was 1 2 3/s);
});
