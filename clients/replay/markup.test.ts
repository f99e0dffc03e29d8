import assert from "node:assert/strict";
import { test } from "node:test";
import { namedIn } from "./markup.ts";

const html = `<!doctype html><base-is-none><link rel="preload stylesheet" href="a.css"><link rel=canonical href=/x>
<link rel=icon href=data:,><script src="//s2.lab:4430/b.js"></script><img src='/c d.jpg'><a href=/no>no</a><img alt=none>
<img src="https://elsewhere.test/e.gif"><iframe src=/frame.html></iframe><img src=/last.p`;

test("namedIn lists style sheets, scripts and images with the page's own URL scheme, in the markup's order", () =>
  assert.deepEqual(
    namedIn(html, new URL("http://s1.lab:4430/A/index.html")).map(({ url }) => url.href),
    ["http://s1.lab:4430/A/a.css", "http://s2.lab:4430/b.js", "http://s1.lab:4430/c%20d.jpg"],
  ));
