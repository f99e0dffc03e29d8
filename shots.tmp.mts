import puppeteer from "puppeteer-core";
const [dir, out, ...only] = process.argv.slice(2);
const b = await puppeteer.launch({ executablePath: "/usr/bin/chromium-headless-shell", args: ["--no-sandbox", "--disable-gpu"], pipe: true });
const views: Record<string, string> = { over: "", comp: "compare?a=0.0&b=0.4", load: "load?c=0.30&l=0", lab: "lab" };
const kinds: [string, number, string, string | null][] = [["light", 1200, "light", null], ["dark", 1200, "dark", null], ["phone", 390, "light", null], ["print", 800, "light", "print"]];
for (const [kind, width, theme, media] of kinds) for (const [name, hash] of Object.entries(views)) {
  if (only.length && !only.includes(`${name}-${kind}`)) continue;
  const p = await b.newPage();
  await p.setViewport({ width, height: 900 });
  await p.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  if (media) await p.emulateMediaType(media);
  await p.goto(`file://${dir}/index.html#/${hash}`);
  await p.waitForFunction(() => document.querySelector("h1") && !document.querySelector(".reading"));
  await new Promise((r) => setTimeout(r, 1500));
  await p.screenshot({ path: `${out}-${name}-${kind}.png`, fullPage: true });
  await p.close();
}
await b.close();
