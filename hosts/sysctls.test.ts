import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { hasSysctl, Sysctls, sysctlOrNone } from "./sysctls.ts";

const folder = mkdtempSync(`${tmpdir()}/sysctls-`);
after(() => rmSync(folder, { recursive: true }));
mkdirSync(`${folder}/net/ipv4`, { recursive: true });
const file = (name: string) => `${folder}/net/ipv4/${name}`;
writeFileSync(file("tcp_recovery"), "1\n");
writeFileSync(file("tcp_rmem"), "4096\t131072\t6291456\n");
const is = (name: string) => readFileSync(file(name), "utf8").trim();

test("kernel parameters are set, read back, and restored when a condition no longer sets them", () => {
  const sysctls = new Sysctls(folder);
  assert.deepEqual(sysctls.read(), {});
  sysctls.set({ "net.ipv4.tcp_recovery": "0" });
  assert.equal(is("tcp_recovery"), "0");
  writeFileSync(file("tcp_recovery"), "3\n");
  assert.deepEqual(sysctls.read(), { "net.ipv4.tcp_recovery": "3" }, "the kernel's value, not the requested one");
  sysctls.set({ "net.ipv4.tcp_rmem": "1 2 3" });
  assert.deepEqual([is("tcp_recovery"), is("tcp_rmem")], ["1", "1 2 3"]);
  sysctls.set({});
  assert.equal(is("tcp_rmem"), "4096\t131072\t6291456");
});

test("a kernel parameter is not written if its value differs from the requested value only by tabs instead of spaces", () => {
  new Sysctls(folder).set({ "net.ipv4.tcp_rmem": "4096 131072 6291456" });
  assert.equal(is("tcp_rmem"), "4096\t131072\t6291456");
});

test("setting a parameter that the kernel lacks fails, and the error names the parameter", () => {
  const sysctls = new Sysctls(folder);
  assert.throws(() => sysctls.set({ "net.ipv4.tcp_rack": "1" }), /kernel has no parameter net\.ipv4\.tcp_rack/);
});

test("sysctlOrNone reads parameters of this machine's kernel", () => {
  const value = sysctlOrNone("net.ipv4.tcp_rmem");
  assert.match(value, /^\d+\t\d+\t\d+$/);
  assert.ok(hasSysctl("net.ipv4.tcp_rmem", value.replaceAll("\t", " ")));
  assert.ok(!hasSysctl("net.ipv4.tcp_rmem", "1 2 3"));
  assert.equal(sysctlOrNone("net.ipv4.tcp_rack"), "not there");
});
