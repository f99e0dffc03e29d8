/** Tests which values in URLs and headers are private and replaced. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isPrivateHeader, withoutPrivateValues } from "./private-values.ts";

const isReplaced = (parameter: string) => withoutPrivateValues(`https://a.test/?${parameter}`).includes("=hash-");

test("a query parameter's value is replaced by a hash if the parameter's name or value looks private", () => {
  for (const one of [
    "token=1",
    "access_token=1",
    "accessToken=1",
    "X-Amz-Signature=1",
    "user%5Bemail%5D=1",
    "PHPSESSID=1",
    "sid=1",
    "api.key=1",
    "code=1",
    "q=ann@example.com",
    "q=ann%40example.com",
    "q=eyJhbGciOiJI.eyJzdWIi.x",
  ])
    assert.ok(isReplaced(one), one);
  for (const one of ["q=shoes", "keyword=1", "v=1.2.3", "page=2", "monkey=1", "author=ann", "q=a@b", "token=", "%E0=1"])
    assert.ok(!isReplaced(one), one);
});

test("the same value gets the same hash in every place, and a hash is not replaced again", () => {
  const once = withoutPrivateValues("https://a.test/b;jsessionid=7?x=1&sid=7#token=7");
  assert.match(once, /^https:\/\/a\.test\/b;jsessionid=(hash-[0-9a-f]{10})\?x=1&sid=\1#token=\1$/);
  assert.equal(withoutPrivateValues(once), once);
  assert.notEqual(withoutPrivateValues("?sid=8"), withoutPrivateValues("?sid=7"));
});

test("private values and user names are removed from all URLs of a text", () => {
  const link = withoutPrivateValues("<https://u:p@a.test/x?sig=1>; rel=preload, </y?z=2>; rel=preload");
  assert.match(link, /^<https:\/\/a\.test\/x\?sig=hash-[0-9a-f]{10}>; rel=preload, <\/y\?z=2>; rel=preload$/);
});

test("withoutPrivateValues does not change a request's path that contains an invalid URL, because servers look this path up in the recording", () => {
  for (const path of ["/r/https://:0x/b@c", "/?u=https://h:{port}/a@b", "/?u=https:///x@y"])
    assert.equal(withoutPrivateValues(`//a.test${path}`), `//a.test${path}`);
});

test("the names of replaced parameters are reported", () => {
  const names: string[] = [];
  withoutPrivateValues("/?user%5Bemail%5D=1&b=2&token=3", (name) => names.push(name));
  assert.deepEqual(names, ["user[email]", "token"]);
});

test("isPrivateHeader recognises headers with private values by their names", () => {
  for (const name of ["set-cookie", "x-csrf-token", "x-api-key"]) assert.ok(isPrivateHeader(name), name);
  for (const name of ["x-total-count", "etag"]) assert.ok(!isPrivateHeader(name), name);
});
