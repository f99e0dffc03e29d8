/** Tests which host names can share a connection. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { covers, hostsOf } from "./host-groups.ts";

const name = (text: string, endpoints: string[], covered: string[], handshakeMs: number | null = null) => ({
  name: text,
  endpoints,
  covered,
  handshakeMs,
});

test("names share a host if their address is the same and the first name's certificate covers them", () =>
  assert.deepEqual(
    hostsOf([
      name("a.test", ["1.1.1.1 443"], ["a.test", "*.a.test"], 9),
      name("cdn.a.test", ["3.3.3.3 443", "1.1.1.1 443"], ["*.a.test"], 8),
      name("b.test", ["1.1.1.1 443"], ["b.test", "a.test"], 3),
      name("img.a.test", ["2.2.2.2 443"], ["*.a.test"]),
      name("c.test", [], []),
      name("d.test", [], []),
      name("e.test:8443", ["1.1.1.1 8443"], ["e.test"]),
    ]),
    [
      { names: ["a.test", "cdn.a.test"], handshakeMs: 8 },
      { names: ["b.test"], handshakeMs: 3 },
      { names: ["img.a.test"], handshakeMs: null },
      { names: ["c.test"], handshakeMs: null },
      { names: ["d.test"], handshakeMs: null },
      { names: ["e.test:8443"], handshakeMs: null },
    ],
  ));

test("a certificate's name covers a host name with any port and case, and a wildcard covers one label", () => {
  assert.ok(covers("A.test", "a.test:8443"));
  assert.ok(covers("*.a.test", "b.a.test"));
  for (const one of ["a.test", "c.b.a.test", "ba.test"]) assert.ok(!covers("*.a.test", one), one);
});
