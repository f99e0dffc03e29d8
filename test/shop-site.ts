/** For tests: a shop with seven host names. Like real pages, it has redirects, forms, queries, fonts, frames, workers and late images. */
import { brotliCompressSync, constants } from "node:zlib";
import type { Resolve } from "../clients/recorder/origin-connections.ts";
import { type Answer, send, serveNamed } from "./named-sites.ts";

export const script = Buffer.from(`/* ${"shop ".repeat(2000)} */
fetch("/cart", { method: "POST", body: "item=7" }).then((r) => r.json()).then(({ picked }) => add(picked));
fetch("/api?q=shoes&token=secret-1234&page=2").then((r) => r.json());
fetch("https://api.test/stock", { method: "PUT", headers: { "x-shop": "1" }, body: "7" });
fetch("https://api.test/stock?user=ann@example.com");
fetch("/gone");
new Worker("/worker.js");
navigator.serviceWorker.register("/sw.js");
document.fonts.load("16px Shop");
const add = (src) => document.body.prepend(Object.assign(new Image(), { src }));
`);

const home = `<!doctype html><title>Shop</title>
<link rel=stylesheet href="https://static.test/site.css">
<script defer src="https://cdn.test/shop.js"></script>
<iframe src="https://frame.test/ad"></iframe>
<p style="font-family: Shop">Shoes</p>
<div style="height: 6000px"></div>
<img loading=lazy width=10 height=10 src="https://images.test/late.png">`;

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);
const open = { "access-control-allow-origin": "*", "timing-allow-origin": "*" };
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const shop: Answer = ({ protocol, pathname, searchParams }, request, response) => {
  if (protocol === "http:") response.writeHead(301, { location: "https://shop.test/?from=plain" }).end();
  else if (pathname === "/")
    response.writeHead(302, { location: "/home", "set-cookie": ["id=1; Secure", "b=2"], server: "shop" }).end();
  else if (pathname === "/home") send(response, "text/html; charset=utf-8", home, { "cache-control": "no-store" });
  else if (pathname === "/cart")
    send(response, "application/json", JSON.stringify({ picked: `/picked-${request.method}.png` }));
  else if (pathname === "/api") send(response, "application/json", JSON.stringify({ for: searchParams.get("q") }));
  else if (pathname.endsWith(".png")) send(response, "image/png", png, { etag: '"1"' });
  else if (pathname === "/worker.js") send(response, "text/javascript", 'fetch("/from-worker")');
  else if (pathname === "/from-worker") send(response, "text/plain", "worker");
  else if (pathname === "/sw.js") send(response, "text/javascript", serviceWorker);
  else if (pathname === "/offline") send(response, "text/html", "offline");
  else response.writeHead(404, { "content-type": "text/plain" }).end("gone");
};
const serviceWorker = `addEventListener("install", (e) => e.waitUntil(caches.open("1").then((c) => c.add("/offline"))));`;

const assets: Answer = ({ hostname, pathname }, _, response) => {
  if (pathname === "/site.css")
    send(response, "text/css", "@font-face { font-family: Shop; src: url(/shop.woff2) }", open);
  else if (pathname === "/shop.woff2") send(response, "font/woff2", "not a font", open);
  else if (pathname === "/shop.js")
    send(response, "text/javascript", brotliCompressSync(script, quality), { "content-encoding": "br", ...open });
  else if (pathname === "/late.png") send(response, "image/png", png);
  else if (pathname === "/ad")
    send(response, "text/html", `<script>fetch("https://tracker.test/seen?sid=abc").catch(() => {})</script>ad`);
  else if (pathname === "/seen") response.writeHead(204, { "access-control-allow-origin": "https://frame.test" }).end();
  else response.writeHead(404).end(hostname);
};

const api: Answer = (_, { method }, response) => {
  const allowed = {
    ...open,
    "access-control-allow-methods": "PUT",
    "access-control-allow-headers": "x-shop",
    "access-control-expose-headers": "x-left",
    "x-left": "3",
  };
  if (method === "OPTIONS") response.writeHead(204, allowed).end();
  else send(response, "application/json", JSON.stringify({ method }), allowed);
};

/** static.test and cdn.test share an address and a certificate. images.test has the same address, but the certificate does not cover it. */
export const serveShop = (): Promise<Resolve> =>
  serveNamed([
    { names: ["shop.test"], answer: shop },
    { names: ["static.test", "cdn.test", "images.test"], covered: ["static.test", "cdn.test"], answer: assets },
    { names: ["frame.test"], answer: assets },
    { names: ["tracker.test"], answer: assets },
    { names: ["api.test"], covered: ["*.test"], answer: api },
  ]);
