/** Checks that nothing enters or leaves the lab: traffic on its cables, privileges of its processes, and attempts of a hostile page. */
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { readTopology } from "../../../hosts/topology.ts";
import type { Contained } from "../../inside/load-contained.ts";
import type { Hostile } from "../../inside/load-hostile.ts";
import { onHarnessHost, ownState } from "../../lab.ts";

const state = ownState();
const noCapability = "0000000000000000";
const skip =
  process.getuid?.() === 0
    ? false
    : "root privileges are required for tcpdump, and to find the browser's files by their owner";
let contained: Contained;

before(
  async () => {
    if (skip) return;
    const [line = ""] = await onHarnessHost("test/inside/load-contained.ts");
    contained = JSON.parse(line) as Contained;
  },
  { timeout: 120_000 }, // three browsers start, then idle
);

test("the namespace in which all hosts' cables end has no other device", { skip }, () => {
  const { networks, services } = readTopology();
  const ports = Object.entries(services).flatMap(([host, service]) =>
    Object.keys(service.networks).map((_, i) => `${host}.${i}`),
  );
  assert.deepEqual(
    contained.devices.map(({ ifname }) => ifname).sort(),
    ["lo", ...Object.keys(networks), ...ports].sort(),
  );
});

test("from its start to its end, Chromium sends only TCP, and only to the servers", { skip }, (t) => {
  const { frames, ...others } = contained.load;
  t.diagnostic(`${frames} frames at all ports`);
  assert.ok(frames > 1000, `${frames} frames`);
  assert.deepEqual(others, { foreign: [], unroutable: 0, datagrams: 0 });
});

test("from its start to its end, Firefox sends only TCP, and only to the servers", { skip }, () => {
  const { seen, problem } = contained.firefox;
  const { frames, ...others } = seen;
  assert.equal(problem, null);
  assert.ok(frames > 1000, `${frames} frames`);
  assert.deepEqual(others, { foreign: [], unroutable: 0, datagrams: 0 });
});

test("Firefox refuses certificates of an authority that is not installed", { skip }, () =>
  assert.match(contained.firefox.untrusting ?? "", /UNKNOWN_ISSUER/),
);

test(
  "deliberate leaks are detected: a DNS query to a server, and a packet to an address outside the lab",
  { skip },
  () => {
    const { foreign, unroutable, datagrams } = contained.leak;
    assert.match(foreign.join("\n"), /\.53: /);
    assert.deepEqual([unroutable, datagrams], [1, 1]);
  },
);

test(
  "browser, server and iperf3 run as ordinary users without capabilities, and pages run in the browser's sandbox",
  {
    skip,
  },
  () => {
    const { browser = [], renderer = [], nginx = [], iperf3 = [] } = contained.processes;
    assert.deepEqual([browser.length, renderer.length > 0, nginx.length, iperf3.length], [1, true, 8, 1]);
    for (const { uid, effective, noNewPrivileges } of [...browser, ...nginx, ...iperf3]) {
      assert.deepEqual([effective, noNewPrivileges], [noCapability, "1"]);
      assert.ok(uid > 0, "not root");
    }
    assert.notEqual(browser[0]?.uid, nginx[0]?.uid);
    for (const { userNamespace } of renderer) assert.notEqual(userNamespace, browser[0]?.userNamespace);
  },
);

test("no port is open on the browser's host", { skip }, () => assert.equal(contained.listening, ""));

test("only the lab's user can open the control directory and its sockets", { skip }, () => {
  const { control, ...sockets } = contained.modes;
  assert.equal(control, "700");
  assert.deepEqual(Object.values(sockets), Array(5).fill("600"));
});

test(
  "if a host does not answer, a call to it fails after a time-out with a message that names the host",
  { skip },
  () => {
    assert.equal(contained.hang, "server1 did not answer GET /health within 1 s");
  },
);

test(
  "a hostile page writes no file outside the browser's profile, leaves nothing for the next load, and sends nothing out of the lab",
  {
    skip,
    timeout: 120_000,
  },
  async () => {
    makeHostileSite();
    const [line = ""] = await onHarnessHost("test/inside/load-hostile.ts");
    const { cold, sameContext, seen, knocks, filesOutside } = JSON.parse(line) as Hostile;
    const clean = {
      cookie: "",
      localStorage: null,
      sessionStorage: null,
      indexedDB: 0,
      cacheStorage: 0,
      serviceWorker: 0,
      privateFiles: null,
    };
    const marked = {
      cookie: "mark=1",
      localStorage: "1",
      sessionStorage: "1",
      indexedDB: 1,
      cacheStorage: 1,
      serviceWorker: 1,
      privateFiles: "mark",
    };
    assert.deepEqual(
      cold.map(({ found }) => found),
      [clean, clean],
    );
    assert.deepEqual(
      sameContext.map(({ found }) => found),
      [clean, marked],
      "in a shared browser context, a load sees all marks that an earlier load left",
    );
    for (const { tried } of cold) {
      assert.deepEqual(
        [tried.fileFetch, tried.fileWindow, tried.saveFile],
        ["TypeError", "TypeError", "SecurityError"],
      );
      assert.deepEqual(new Set(tried.fetchElsewhere as string[]), new Set(["TypeError"]));
    }
    assert.deepEqual(filesOutside, ["/var/tmp/pageload-lab-on-purpose"]);
    assert.ok(seen.frames > 1000, `${seen.frames} frames`);
    assert.deepEqual([seen.foreign, seen.datagrams, knocks], [[], 0, 0]);
  },
);

/** Adds the hostile page next to the lab's pages, which setup creates if they are missing. */
function makeHostileSite(): void {
  const folder = `${state}/site/hostile`;
  cpSync("test/hostile", folder, { recursive: true });
  writeFileSync(`${folder}/file.bin`, "x");
  writeFileSync(`${folder}/hold.js`, " ".repeat(1e6));
}
