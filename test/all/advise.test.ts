/** `./lab advise` names the best change of pages for which it is known. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { advisedPages } from "../advised-pages.ts";
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
  test(`${what}: ${best.length ? best.join(" or ") : "nothing helps"}`, async () => {
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
