import assert from "node:assert/strict";
import { test } from "node:test";
import { usualTls } from "../../schema/tls.ts";
import type { ServerOptions } from "../software.ts";
import { configuration } from "./server.ts";

const h3 = {
  name: "h3",
  title: "HTTP/3",
  scheme: "https",
  transport: "quic",
  alpn: "h3",
  port: 4433,
  connections: 1,
} as const;
const options: ServerOptions = {
  ...{ root: "/pages", imported: false, certificate: "c.pem", key: "k.pem", scratch: "/scratch" },
  ...{ tls: usualTls, protocols: [h3] },
};
const serverOf = (change: Partial<ServerOptions>) => configuration({ ...options, ...change }).apps.http.servers.h3!;

test("the port for HTTP/3 accepts HTTP/2 only if the server announces HTTP/3", () => {
  assert.deepEqual(serverOf({}).protocols, ["h3"]);
  const { protocols, tls_connection_policies: policies, routes } = serverOf({ announces: true });
  assert.deepEqual(
    [protocols, policies?.[0]?.alpn],
    [
      ["h2", "h3"],
      ["h2", "h3"],
    ],
  );
  assert.match(JSON.stringify(routes), /"Alt-Svc":\["h3=\\":4433\\""\]/);
});

test("early data is accepted only if it is configured", () => {
  const resumption = true as const;
  assert.equal(serverOf({}).allow_0rtt, undefined, "without tickets no client can send early data");
  assert.equal(serverOf({ tls: { ...usualTls, resumption } }).allow_0rtt, false);
  assert.equal(serverOf({ tls: { ...usualTls, resumption, earlyData: true } }).allow_0rtt, true);
});
