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

test("a value that a substrate cannot set is refused; the message has the axis, the value and the reason", () => {
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

test("a value of a server's kernel parameter is refused in containers, unless the parameter already has that value", () => {
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

test("a page is refused if it needs more packets than a load's captures can hold; the message has its requests and bytes", () => {
  assert.throws(
    () => refusePages(pages, (name) => ({ requests: 2, bytes: name === "C" ? 200 * megabyte : 1 })),
    /page C is too large to be checked: 2 requests and 200\.0 MB take more than 138125 packets, .* room for about 100000/,
  );
  assert.throws(() => refusePages(pages, () => ({ requests: 50_001, bytes: 0 })), /page A is too large/);
});

test("a page of 5,000 small objects is accepted, and so are the lab's pages A and C", () => {
  refusePages(pages, () => ({ requests: 5001, bytes: 5 * megabyte }));
  refusePages(pages);
});

test("a client that is not installed is refused; the message has its name and the file that lists its packages", () => {
  const asked = conditions({ client: ["chromium"] });
  assert.throws(
    () => refuseClients(asked, netns, () => "/usr/lib/no-such-browser"),
    /client chromium: there is no program \/usr\/lib\/no-such-browser; to install its Debian packages \(clients\/chromium\/packages\.txt/,
  );
  assert.doesNotThrow(() => refuseClients(asked, netns, () => "sh"));
});

test("lacksPackages returns which of a server's Debian packages the guests' root image lacks", () => {
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

test("a server that is not installed is refused; the message has its name and the file that lists its packages", () =>
  assert.rejects(
    refuseServers(conditions({ server: ["nginx"] }), netns, {
      nginx: { ...nginx!, versionCommand: ["no-such-program"] },
    }),
    /server nginx: there is no program no-such-program on PATH; to install its Debian packages \(servers\/nginx\/packages\.txt/,
  ));

test("a server whose build lacks a protocol is refused; a server that the lab builds is refused if a program that this server needs is missing", async () => {
  const overHttp3 = conditions({ server: ["nginx"], protocol: ["h3"] });
  const builtAs = (said: string, change: Partial<ServerSoftware> = {}) => ({
    nginx: { ...nginx!, ...change, builds: { command: ["echo", said], protocols: { h3: "--pmtud-probes" } } },
  });
  await refuseServers(overHttp3, netns, builtAs("--cc --pmtud-probes=<SIZE>"));
  await assert.rejects(
    refuseServers(overHttp3, netns, builtAs("--cc=(cubic|reno)")),
    /server nginx: this machine's build does not speak h3 \(echo .* prints no --pmtud-probes\)/,
  );
  const made = builtAs("", { make: "servers/nginx/build.sh" });
  made.nginx.builds.command = ["no-such-program"];
  await assert.rejects(refuseServers(overHttp3, netns, made), /there is no program no-such-program on PATH/);
});

const without = (ability: Ability) => ({ ...nginx!, can: nginx!.can.filter((one) => one !== ability) });
const demanding = (values: Partial<ConditionValues>) =>
  conditions({ server: ["nginx"] }).map((one) => ({ ...one, values: { ...one.values, ...values } }));

test("a server that cannot do what a value requires is refused; the message names other servers that can, and the value to use with this one", async () => {
  const refusals: [Ability, Partial<ConditionValues>, string][] = [
    [
      "x25519mlkem768",
      { keyExchange: "x25519mlkem768" },
      "be limited to the key exchange x25519mlkem768, as keyExchange x25519mlkem768 requires; use other, or keyExchange x25519",
    ],
    [
      "caching",
      { view: "repeat" },
      "send caching headers that differ by path, as view repeat requires; use other, or view first",
    ],
    [
      "closes",
      { keepAlive: "off" },
      "close connections after a response, as keepAlive off requires; use other, or keepAlive on",
    ],
  ];
  for (const [ability, values, message] of refusals) {
    await refuseServers(demanding(values), netns);
    await refuseServers(conditions({ server: ["nginx"] }), netns, { nginx: without(ability) });
    await assert.rejects(refuseServers(demanding(values), netns, { nginx: without(ability), other: nginx! }), {
      message: `server nginx cannot ${message}`,
    });
  }
});

test("each kind of server delay requires a server that can delay its responses", async () => {
  for (const values of [{ thinkTime: 200 }, { backEndTime: 200 }, { serverTimes: "recorded" as const }])
    await assert.rejects(
      refuseServers(demanding(values), netns),
      /server nginx cannot wait before or in the middle of a response, as \w+ \w+ requires; use node, or \w+ (0ms|none)$/,
    );
});

test("ML-KEM is refused on a server whose OpenSSL is older than 3.5", async () => {
  await assert.rejects(
    refuseServers(hybrid, netns, withOpenssl("OpenSSL 3.0.19 27 Jan 2026")),
    /runs with OpenSSL 3\.0\.19/,
  );
  await assert.rejects(refuseServers(hybrid, netns, withOpenssl("3.4.1")), /needs OpenSSL 3\.5 or later/);
  await refuseServers(hybrid, netns, withOpenssl("OpenSSL 3.5.4"));
  await refuseServers(hybrid, netns, withOpenssl("4.0.0"));
});
