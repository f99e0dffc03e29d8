import assert from "node:assert/strict";
import { test } from "node:test";
import { htmlAfter } from "./edited.fixture.ts";
import { fetchPriority } from "./fetch-priority.ts";
import { lazyImages } from "./lazy-images.ts";
import { scriptLoading } from "./script-loading.ts";

test("scriptLoading adds async or defer only to classic script elements that load the given file and have neither attribute", () => {
  const untouched = `<script src=a.js async></script><script src=a.js DEFER></script><script type=module src=a.js></script><script src=b.js></script><script>"a.js"</script><template><script src=a.js></script></template>`;
  assert.equal(
    htmlAfter(
      scriptLoading("a.js", "defer"),
      `${untouched}<SCRIPT\nSRC="./a.js?v"></SCRIPT><script src=a.js></script>`,
    ),
    `${untouched}<SCRIPT defer=""\nSRC="./a.js?v"></SCRIPT><script defer="" src=a.js></script>`,
  );
  assert.equal(htmlAfter(scriptLoading("a.js", "async"), untouched), null);
});

test("fetchPriority adds fetchpriority=high to img elements without this attribute that load the given image, also through a picture's source element", () => {
  assert.equal(
    htmlAfter(
      fetchPriority("a.png"),
      `<IMG src=a.png loading=lazy><image src=a.png><img src=a.png fetchpriority=low><picture><source srcset="b.png, a.png 2x"><img src=c.png></picture><img src=b.png>`,
    ),
    `<IMG fetchpriority="high" src=a.png loading=lazy><image fetchpriority="high" src=a.png><img src=a.png fetchpriority=low><picture><source srcset="b.png, a.png 2x"><img fetchpriority="high" src=c.png></picture><img src=b.png>`,
  );
  assert.equal(
    htmlAfter(fetchPriority("a.png"), "<input type=image src=a.png><link rel=preload as=image href=a.png>"),
    null,
  );
});

test("lazyImages adds loading=lazy to images that request a file, except given images and images with a loading attribute", () => {
  assert.equal(
    htmlAfter(
      lazyImages(["a.png"]),
      `<img src=a.png><img src=b.png><img srcset="c.png 1x, a.png 2x"><picture><source srcset=a.png><img src=b.png></picture><img src=b.png loading=eager><img src=data:,x><img alt=x>`,
    ),
    `<img src=a.png><img loading="lazy" src=b.png><img srcset="c.png 1x, a.png 2x"><picture><source srcset=a.png><img src=b.png></picture><img src=b.png loading=eager><img src=data:,x><img alt=x>`,
  );
  assert.equal(htmlAfter(lazyImages(["a.png"]), "<img src=a.png>"), null);
});
