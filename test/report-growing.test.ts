/** Reports of runs that are unfinished or still growing, that have captures, or that have names chosen by an attacker. */
import assert from "node:assert/strict";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import jpeg from "jpeg-js";
import { writeCapture } from "../harness/record/captures.ts";
import { conditionsOfRun } from "../harness/record/manifest.ts";
import { loadsIn } from "../harness/record/records.ts";
import { openRun } from "../harness/record/run-folder.ts";
import { loopback, serveReport } from "../harness/web/serve.ts";
import { copyOf, recordedRun, reportOf, textOf, withPage } from "./report-page.ts";

test("a load's view in the report has the packets and film of a captured load of the same condition, and says that no number includes that load", async () => {
  const run = copyOf(recordedRun);
  const [load] = loadsIn(run);
  const picture = jpeg.encode({ width: 8, height: 6, data: Buffer.alloc(8 * 6 * 4, 200) }, 60).data.toString("base64");
  const files = { "packets.pcapng": Buffer.from("frames").toString("base64"), "frame-000012.0ms.jpg": picture };
  writeCapture(run, { load: load!, files });
  const address = await reportOf(run);
  const place = conditionsOfRun(openRun(run).manifest).findIndex(({ id }) => id === load!.condition);
  await withPage(`${address}#/load?c=0.${place}&l=0`, async (page) => {
    const links = await page.waitForSelector("a[download][href$='packets.pcapng']");
    const file = await links!.evaluate((link) => (link as HTMLAnchorElement).href);
    assert.equal(readFileSync(new URL(file), "utf8"), "frames");
    assert.match(await textOf(page, "main"), /Capturing slowed this load, so no number in this report includes it/);
    const shown = await page.$eval(".film img", (img) =>
      (img as HTMLImageElement).decode().then(() => img.naturalWidth),
    );
    assert.equal(shown, 8);
  });
});

test("names that contain HTML are shown as text", async () => {
  const run = copyOf(recordedRun);
  const evil = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">`;
  const manifest = JSON.parse(readFileSync(`${run}/run.json`, "utf8"));
  manifest.experiment.title = evil;
  manifest.experiment.comparisons[1].title = evil;
  writeFileSync(`${run}/run.json`, JSON.stringify(manifest));
  await withPage(await reportOf(run), async (page) => {
    assert.equal(await textOf(page, "h1"), evil);
    assert.equal(await page.evaluate(() => "hacked" in window), false);
  });
});

test("a report opens even if its run has no loads, or if the run's last line is truncated", async () => {
  const [empty, torn] = [copyOf(recordedRun), copyOf(recordedRun)];
  writeFileSync(`${empty}/loads.jsonl`, "");
  const lines = readFileSync(`${torn}/loads.jsonl`, "utf8");
  writeFileSync(`${torn}/loads.jsonl`, lines.slice(0, -1000));
  await withPage(await reportOf(empty), async (page) => assert.match(await textOf(page, ".status"), /0 of \d+ loads/));
  await withPage(await reportOf(torn), async (page) => {
    assert.match(await textOf(page, ".status"), new RegExp(`${lines.trim().split("\n").length - 1} of`));
  });
});

test("a served report is updated during the run, and the server refuses POST requests and invalid paths", async () => {
  const run = copyOf(recordedRun);
  const lines = readFileSync(`${run}/loads.jsonl`, "utf8").trim().split("\n");
  writeFileSync(`${run}/loads.jsonl`, `${lines.slice(0, -3).join("\n")}\n`);
  const served = await serveReport([openRun(run)], { address: loopback, port: 0 });
  try {
    await withPage(served.url, async (page) => {
      assert.match(
        await textOf(page, ".status"),
        new RegExp(`${lines.length - 3} of.*Running: time left not known yet`),
      );
      appendFileSync(`${run}/loads.jsonl`, `${lines.slice(-3, -1).join("\n")}\n`);
      const grown = `${lines.length - 1} of`;
      await page.waitForFunction((text) => document.querySelector(".status")?.textContent?.includes(text), {}, grown);
      assert.match(await textOf(page, ".status"), /Running: about \d+ s left/);
    });
    const { status } = await fetch(served.url, { method: "POST" });
    assert.equal(status, 405);
    for (const path of ["%E0%A4", "/"]) assert.equal((await fetch(`${served.url}${path}`)).status, 400, path);
    assert.equal((await fetch(served.url)).status, 200);
  } finally {
    served.close();
  }
});
