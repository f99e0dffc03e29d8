import assert from "node:assert/strict";
import { test } from "node:test";
import { usualTls } from "../../schema/tls.ts";
import type { ServerOptions } from "../software.ts";
import { configuration } from "./front.ts";

test("nginx gets each recorded host's names, without ports, and its certificate; session tickets are on only if `tls` has resumption", () => {
  const files = (n: number) => ({ certificate: `/c/${n}.pem`, key: `/c/${n}.key` });
  const options = { ...files(0), scratch: "/scratch", tls: usualTls, replayed: [files(1), files(2)] } as ServerOptions;
  const hosts = [["a.test", "b.test:8443", "b.test"], ["c.test"]];
  const text = configuration({ options, port: 4433, hosts, behindPort: 10_001 });
  const servers = [...text.matchAll(/server \{ listen (.*?); server_name (.*?); ssl_certificate (.*?);/g)].map(
    ([, ...parts]) => parts,
  );
  assert.deepEqual(servers, [
    ["4433 quic default_server", '"_"', "/c/0.pem"],
    ["4433 quic", '"a.test" "b.test"', "/c/1.pem"],
    ["4433 quic", '"c.test"', "/c/2.pem"],
  ]);
  assert.match(text, /ssl_session_tickets off;/);
  assert.match(
    configuration({ options: { ...options, tls: { ...usualTls, resumption: true } }, port: 1, hosts, behindPort: 2 }),
    /ssl_session_tickets on;/,
  );
});
