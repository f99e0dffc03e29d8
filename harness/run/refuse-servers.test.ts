import assert from "node:assert/strict";
import { test } from "node:test";
import { servers } from "../../servers/servers.ts";
import { conditions } from "../report/tables/synthetic-loads.ts";
import { refuseServers } from "./refuse-servers.ts";

const { nginx } = servers;
const hybrid = conditions({ server: ["nginx"], keyExchange: ["x25519mlkem768"] });
const withOpenssl = (version: string) => ({ nginx: { ...nginx!, opensslCommand: ["echo", version] } });

test("a server that is not installed is refused by its name, with its packages", () =>
  assert.rejects(
    refuseServers(conditions({ server: ["nginx"] }), { nginx: { ...nginx!, versionCommand: ["no-such-program"] } }),
    /server nginx: there is no no-such-program here; its Debian packages stand in servers\/nginx\/packages\.txt/,
  ));

test("a server that cannot be told to make a key exchange is refused for it, with those that it can", () =>
  assert.rejects(
    refuseServers(hybrid, { nginx: { ...nginx!, keyExchanges: ["x25519", "secp256r1"] } }),
    /server nginx: it cannot be told to make the key exchange x25519mlkem768; x25519, secp256r1 is allowed/,
  ));

test("a server that cannot say what a client may keep is refused for a repeat view alone", async () => {
  const mute = { nginx: { ...nginx!, cannotSayCaching: true as const } };
  await refuseServers(conditions({ server: ["nginx"] }), mute);
  await assert.rejects(
    refuseServers(conditions({ server: ["nginx"], view: ["repeat"] }), mute),
    /server nginx: it cannot say what a client may keep/,
  );
});

test("a server that answers at once is refused for a think time alone, with those that can think", async () => {
  const thinking = conditions({ server: ["nginx"] }).map((one) => {
    const { settings } = one;
    return { ...one, settings: { ...settings, server: { ...settings.server, thinkTimeMs: 200 } } };
  });
  await assert.rejects(refuseServers(thinking), /server nginx: it answers at once; node can think/);
  await refuseServers(thinking, { nginx: { ...nginx!, thinks: true } });
});

test("ML-KEM takes an OpenSSL that has it", async () => {
  await assert.rejects(refuseServers(hybrid, withOpenssl("OpenSSL 3.0.19 27 Jan 2026")), /runs with OpenSSL 3\.0\.19/);
  await assert.rejects(refuseServers(hybrid, withOpenssl("3.4.1")), /takes OpenSSL 3\.5 or later/);
  await refuseServers(hybrid, withOpenssl("OpenSSL 3.5.4"));
  await refuseServers(hybrid, withOpenssl("4.0.0"));
});
