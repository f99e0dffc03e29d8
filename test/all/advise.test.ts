/** `./lab advise` names the best change of pages whose best change is known. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { makeImage } from "../../sites/image.ts";
import { makeSite } from "../../sites/recorded/made-recording.fixture.ts";
import { advisedPages } from "../advised-pages.ts";
import { readFiles } from "../forgeries/run-files.ts";
import { LabCopy } from "../lab.ts";

let copy: LabCopy;
before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
});
after(() => copy?.remove());

interface Printed {
  estimates: { verdict: string; changes: { change: string; isTied: boolean }[] };
  plan: { combined?: { name: string } };
}

for (const { what, files, options, best } of advisedPages)
  test(`advise ${best.length ? `names ${best.join(" or ")}` : "names no change that helps"} for ${what}`, async () => {
    const folder = what.replaceAll(" ", "-");
    for (const [path, content] of Object.entries(files)) copy.put(`${folder}/${path}`, content);
    const words = ["--users", "3GFast:100", "--minutes", "60", "--loads", "5", "--json", ...options];
    const { code, stdout, stderr } = await copy.lab("advise", folder, ...words);
    assert.equal(code, 0, stderr);
    const { estimates, plan }: Printed = JSON.parse(stdout);
    const named = estimates.changes.flatMap(({ change, isTied }) =>
      isTied && change !== plan.combined?.name ? [change] : [],
    );
    if (best.length === 0) return assert.notEqual(estimates.verdict, "helps", stdout);
    assert.equal(estimates.verdict, "helps", stdout);
    assert.ok(
      best.some((name) => named.includes(name)),
      stdout,
    );
  });

test("in a recorded site, removing the redirect saves a round trip, and other changes keep the redirect", async () => {
  makeSite(`${copy.folder}/recorded`, makeImage("png", 5_000, 1).file);
  const changes = ["without-redirects", "inline:cdn.shop.test/style.css"].flatMap((name) => ["--change", name]);
  const words = ["--users", "20x2-100ms-0%:100", "--loads", "5", "--json", ...changes];
  const { code, stdout, stderr } = await copy.lab("advise", "recorded", ...words);
  assert.equal(code, 0, stderr);
  const { estimates }: { estimates: { changes: { change: string; savedMs: { value: number } }[] } } =
    JSON.parse(stdout);
  const saved = estimates.changes.find(({ change }) => change === "without-redirects")!.savedMs.value;
  // All responses fit into the initial window, so the page waits only for whole round trips.
  assert.ok(saved > 50, `${saved} ms, and a round trip takes 100 ms`);
  const [, measured] = [...stderr.matchAll(/^(results\/\S+):/gm)].at(-1)!;
  const { loads } = readFiles(`${copy.folder}/${measured}`);
  const redirects = loads.map(
    ({ evidence }) =>
      evidence.connections.flatMap(({ requests }) => requests).filter(({ status }) => status === 302).length,
  );
  assert.deepEqual([redirects.filter((count) => count === 0).length, redirects.length], [5, 15]);
});
