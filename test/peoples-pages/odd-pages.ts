/** Small pages that have no page load time, each for a different reason. */
import type { Site } from "../sites.ts";
import { common, html, next, picture, script } from "./parts.ts";

/** Pages that cannot be loaded, each with the expected message. */
export const oddPages: Readonly<Record<string, { site: Site; says: RegExp }>> = {
  "goes-on-by-script": {
    site: { ...common, ...next, "index.html": html("", script('location.replace("next.html")')) },
    says: /index\.html goes on to next\.html/,
  },
  "goes-on-late": {
    site: {
      ...common,
      ...next,
      "index.html": html(
        picture,
        script('addEventListener("load", () => setTimeout(() => { location.href = "next.html"; }, 300))'),
      ),
    },
    says: /index\.html goes on to next\.html/,
  },
  "goes-on-by-refresh": {
    site: { ...common, ...next, "index.html": html("", '<meta http-equiv="refresh" content="0; url=next.html">') },
    says: /index\.html goes on to next\.html/,
  },
  "goes-on-elsewhere": {
    site: { ...common, "index.html": html("", script('location = "https://www.example.com/"')) },
    says: /index\.html goes on to https:\/\/www\.example\.com\//,
  },
  "loads-again": {
    site: {
      ...common,
      "index.html": html(picture, script("sessionStorage.x || (sessionStorage.x = 1, location.reload())")),
    },
    says: /index\.html/,
  },
  spins: {
    site: {
      ...common,
      "index.html": html(picture + script('addEventListener("load", () => setTimeout(() => { for (;;); }, 0))')),
    },
    says: /a program computed for \d+ s without a pause/,
  },
  "no-image": {
    site: {
      "a.png": Buffer.from(Array.from({ length: 30_000 }, (_, i) => (i * 7919 * i) & 255)),
      "index.html": html('<img src="a.png">'),
    },
    says: /a\.png/,
  },
};
