import assert from "node:assert/strict";
import { test } from "node:test";
import type { Axis } from "../../axes/axis.ts";
import { axes } from "../../axes/registry.ts";
import { sysctlOrNone } from "../../hosts/sysctls.ts";
import type { ConditionValues } from "../../schema/plan.ts";
import { servers } from "../../servers/servers.ts";
import type { Ability, ServerSoftware } from "../../servers/software.ts";
import { compose } from "../../substrate/compose.ts";
import { guest } from "../../substrate/guest/guest.ts";
import { lacksPackages } from "../../substrate/guest/requirements.ts";
import { netns } from "../../substrate/netns.ts";
import { conditions } from "../tables/synthetic-loads.fixture.ts";
import { refuseClients, refusePages, refuseServers, refuseUnsettable } from "./preflight.ts";

test("an axis that a substrate cannot set is refused; the message has its name, value and the reason", () => {
  const wide = conditions({ initrwnd: [44, 100] });
  assert.throws(
    () => refuseUnsettable(wide, compose),
    /initrwnd 100 sets client\.sysctls\.net\.ipv4\.tcp_rmem, which compose cannot do: \/proc\/sys is read-only/,
  );
  assert.doesNotThrow(() => refuseUnsettable(conditions({ initrwnd: [10, 44] }), compose));
  assert.doesNotThrow(() => refuseUnsettable(wide, netns));
  for (const substrate of [compose, netns])
    assert.throws(
      () => refuseUnsettable(conditions({ delayedAcks: ["always"] }), substrate),
      /delayedAcks always sets client\.sysctls\.net\.ipv4\.tcp_max_quickacks, which \w+ cannot do: no Linux kernel has this parameter/,
    );
  assert.throws(
    () => refuseUnsettable(conditions({ congestion: ["abc2"] }), netns),
    /congestion abc2 sets route\.server\.congestion, which netns cannot do: its kernel has .*; --clock virtual has .*abc2$/,
  );
  assert.throws(
    () => refuseUnsettable(conditions({ cpu: [1, 4] }), guest(1, 0)),
    /cpu 4x sets client\.cpuSlowdown, which guest cannot do: on the virtual clock computing takes no time/,
  );
});

test("a server's kernel parameter is refused in containers, unless it already has the value there", () => {
  const own = sysctlOrNone("net.ipv4.tcp_rmem");
  const refuse = (value: string, substrate: typeof compose | typeof netns) => {
    const axis = { ...axes[0]!, sets: () => ({ server: { sysctls: { "net.ipv4.tcp_rmem": value } } }) } as Axis;
    refuseUnsettable(conditions({ initrwnd: [44] }), substrate, [axis]);
  };
  assert.throws(
    () => refuse("1 2 3", compose),
    /sets server\.sysctls\.net\.ipv4\.tcp_rmem, which compose cannot do: \/proc\/sys is read-only/,
  );
  assert.doesNotThrow(() => refuse(own, compose));
  assert.doesNotThrow(() => refuse("1 2 3", netns));
});

const pages = conditions({ page: ["A", "C"] });
const megabyte = 1e6;

test("a page is refused if its bytes and requests need more packets than the captures hold; the message has both", () => {
  assert.throws(
    () => refusePages(pages, (name) => ({ requests: 2, bytes: name === "C" ? 200 * megabyte : 1 })),
    /page C is too large to be checked: 2 requests and 200\.0 MB take more than 138125 packets, .* room for about 100000/,
  );
  assert.throws(() => refusePages(pages, () => ({ requests: 50_001, bytes: 0 })), /page A is too large/);
});

test("a page of 5,000 small objects is not refused, nor are the lab's own pages", () => {
  refusePages(pages, () => ({ requests: 5001, bytes: 5 * megabyte }));
  refusePages(pages);
});

test("a client that is not installed is refused; the message has its name and packages", () => {
  const asked = conditions({ client: ["chromium"] });
  assert.throws(
    () => refuseClients(asked, netns, () => "/usr/lib/no-such-browser"),
    /client chromium: there is no program \/usr\/lib\/no-such-browser; its Debian packages are listed in clients\/chromium\/packages\.txt/,
  );
  assert.doesNotThrow(() => refuseClients(asked, netns, () => "sh"));
});

test("a guest has the programs of its root image, whatever this machine has", () => {
  const root = { packages: "base-files 13.8 0a\nnginx 1.26.3-3 0b\nlibnginx-mod-http-brotli-static 1.0.0 0c\n" };
  assert.equal(lacksPackages(root, "servers/nginx"), null);
  assert.match(lacksPackages(root, "servers/h2o")!, /root file system, of Debian 13's packages, lacks h2o$/);
  assert.match(
    lacksPackages(root, "servers/lighttpd")!,
    /lacks lighttpd, lighttpd-mod-openssl, bash, lighttpd-modules-lua$/,
  );
  assert.equal(lacksPackages(null, "servers/h2o"), null, "not known before the root image is built");
});

const { nginx } = servers;
const hybrid = conditions({ server: ["nginx"], keyExchange: ["x25519mlkem768"] });
const withOpenssl = (version: string) => ({ nginx: { ...nginx!, opensslCommand: ["echo", version] } });

test("a server that is not installed is refused; the message has its name and packages", () =>
  assert.rejects(
    refuseServers(conditions({ server: ["nginx"] }), netns, {
      nginx: { ...nginx!, versionCommand: ["no-such-program"] },
    }),
    /server nginx: there is no program no-such-program on PATH; its Debian packages are listed in servers\/nginx\/packages\.txt/,
  ));

test("a build of a server that lacks a protocol is refused; so is a missing program of a server that the lab adds a library to", async () => {
  const overHttp3 = conditions({ server: ["nginx"], protocol: ["h3"] });
  const builtAs = (said: string, change: Partial<ServerSoftware> = {}) => ({
    nginx: { ...nginx!, ...change, builds: { command: ["echo", said], protocols: { h3: "--pmtud-probes" } } },
  });
  await refuseServers(overHttp3, netns, builtAs("--cc --pmtud-probes=<SIZE>"));
  await assert.rejects(
    refuseServers(overHttp3, netns, builtAs("--cc=(cubic|reno)")),
    /server nginx: this machine's build does not speak h3 \(echo .* has no --pmtud-probes\)/,
  );
  const made = builtAs("", { make: "servers/nginx/build.sh" });
  made.nginx.builds.command = ["no-such-program"];
  await assert.rejects(refuseServers(overHttp3, netns, made), /there is no program no-such-program on PATH/);
});

const without = (ability: Ability) => ({ ...nginx!, can: nginx!.can.filter((one) => one !== ability) });
const demanding = (values: Partial<ConditionValues>) =>
  conditions({ server: ["nginx"] }).map((one) => ({ ...one, values: { ...one.values, ...values } }));

test("a server that cannot do what a value requires is refused; the message names servers that can, and the allowed value", async () => {
  const refusals: [Ability, Partial<ConditionValues>, string][] = [
    [
      "x25519mlkem768",
      { keyExchange: "x25519mlkem768" },
      "be limited to the key exchange x25519mlkem768, as keyExchange x25519mlkem768 requires; other can, and with nginx x25519",
    ],
    [
      "caching",
      { view: "repeat" },
      "send caching headers that differ by path, as view repeat requires; other can, and with nginx first",
    ],
    [
      "closes",
      { keepAlive: "off" },
      "close connections after a response, as keepAlive off requires; other can, and with nginx on",
    ],
  ];
  for (const [ability, values, message] of refusals) {
    await refuseServers(demanding(values), netns);
    await refuseServers(conditions({ server: ["nginx"] }), netns, { nginx: without(ability) });
    await assert.rejects(refuseServers(demanding(values), netns, { nginx: without(ability), other: nginx! }), {
      message: `server nginx cannot ${message} is allowed`,
    });
  }
});

test("each kind of delay needs a server that can delay", async () => {
  for (const values of [{ thinkTime: 200 }, { backEndTime: 200 }, { serverTimes: "recorded" as const }])
    await assert.rejects(
      refuseServers(demanding(values), netns),
      /server nginx cannot delay its responses, or their rest, as \w+ \w+ requires; node can, and with nginx (0ms|none) is allowed/,
    );
});

test("ML-KEM requires an OpenSSL that supports it", async () => {
  await assert.rejects(
    refuseServers(hybrid, netns, withOpenssl("OpenSSL 3.0.19 27 Jan 2026")),
    /runs with OpenSSL 3\.0\.19/,
  );
  await assert.rejects(refuseServers(hybrid, netns, withOpenssl("3.4.1")), /needs OpenSSL 3\.5 or later/);
  await refuseServers(hybrid, netns, withOpenssl("OpenSSL 3.5.4"));
  await refuseServers(hybrid, netns, withOpenssl("4.0.0"));
});
