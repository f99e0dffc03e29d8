/** Installs Lighthouse, and reads what it estimates for a folder that is served on loopback. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { lookup } from "mrmime";
import { z } from "zod";
import { findProgram, run } from "../hosts/command.ts";
import { labWindow } from "../schema/browser-window.ts";
import { compress, gzippedBytes } from "../sites/imported/compressed-copies.ts";
import { readFolder } from "../sites/imported/page-folder.ts";
import { startFile } from "../sites/paths.ts";
import { folderOfTool, installTool } from "./npm-tool.ts";

/** The last version with audits that estimate the savings of one change each. Version 13 has "insights" instead, and needs Node.js 22. */
export const lighthouseVersion = "12.8.2";
/** Lighthouse's standard link (shaper/links.yml). A report with other throttling is refused. */
export const lighthouseLink = "Slow4G";
const throttling = z.object({ rttMs: z.literal(150), throughputKbps: z.literal(1638.4) });

const savings = z.object({ FCP: z.number().optional(), LCP: z.number().optional() });
const item = z.object({
  url: z.string().optional(),
  totalBytes: z.number().optional(),
  wastedBytes: z.number().optional(),
});
const audit = z.object({
  metricSavings: savings.optional(),
  details: z.object({ overallSavingsMs: z.number().optional(), items: z.array(item).optional() }).optional(),
});
/** The audits whose suggested changes the lab can make (lighthouse-changes.ts). */
const auditIds = [
  "render-blocking-resources",
  "prioritize-lcp-image",
  "offscreen-images",
  "modern-image-formats",
  "uses-optimized-images",
  "uses-responsive-images",
] as const;
const timed = z.object({ numericValue: z.number() });
/** The paints that Lighthouse observed when it loaded the page without a slow link. It simulates its estimates from that load. */
const observed = z.object({
  details: z.object({
    items: z.tuple(
      [z.object({ observedFirstContentfulPaint: z.number(), observedLargestContentfulPaint: z.number() })],
      z.unknown(),
    ),
  }),
});
const largestElement = z.object({
  details: z.object({
    items: z.tuple(
      [z.object({ items: z.tuple([z.object({ node: z.object({ snippet: z.string() }) })]) })],
      z.unknown(),
    ),
  }),
});
const report = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  configSettings: z.object({ throttling }),
  audits: z.object({
    ...{ "first-contentful-paint": timed, "largest-contentful-paint": timed },
    ...{ metrics: observed, "largest-contentful-paint-element": largestElement },
    ...(Object.fromEntries(auditIds.map((id) => [id, audit])) as Record<AuditId, typeof audit>),
  }),
});

export type AuditId = (typeof auditIds)[number];
export type LighthouseAudit = z.infer<typeof audit>;
export type LighthouseAudits = z.infer<typeof report>["audits"];

const { width, height, scale } = labWindow;
/** The window of the lab's loads, so that both tools see the same images on the screen. */
const sameWindow = [
  "--form-factor=desktop",
  "--screenEmulation.mobile=false",
  `--screenEmulation.width=${width}`,
  `--screenEmulation.height=${height}`,
  `--screenEmulation.deviceScaleFactor=${scale}`,
];

/** @returns a function that audits a folder's start page over Lighthouse's standard link @throws LabError if npm cannot install Lighthouse */
export async function openLighthouse(signal: AbortSignal): Promise<(folder: string) => Promise<LighthouseAudits>> {
  const tool = { name: "lighthouse", version: lighthouseVersion };
  await installTool(tool, signal);
  const script = `${folderOfTool(tool)}/cli/index.js`;
  const browser = findProgram("chromium-headless-shell");
  return async (folder) => {
    const served = await serveFolder(folder);
    const scratch = mkdtempSync(`${tmpdir()}/lab-lighthouse-`);
    try {
      const flags = "--headless --no-sandbox --host-resolver-rules='MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'";
      const options = ["--quiet", "--output=json", `--output-path=${scratch}/report.json`, `--chrome-flags=${flags}`];
      const environment = ["env", `CHROME_PATH=${browser}`, `TMPDIR=${scratch}`];
      const command = [
        process.execPath,
        script,
        `${served.url}/${startFile}`,
        "--only-categories=performance",
        ...sameWindow,
      ];
      await run([...environment, ...command, ...options], "", signal);
      const { runtimeError, audits } = report.parse(JSON.parse(readFileSync(`${scratch}/report.json`, "utf8")));
      if (runtimeError) throw new Error(`Lighthouse could not load ${folder}: ${runtimeError.message}`);
      return audits;
    } finally {
      served.close();
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
    }
  };
}

/** Serves a folder over HTTP/1.1 without TLS, with texts compressed as the lab's servers send them. */
async function serveFolder(folder: string): Promise<{ url: string; close(): void }> {
  const files = new Map([...readFolder(folder)].map(([path, { source }]) => [path, readFileSync(source)]));
  const server = createServer(({ url = "/" }, response) => {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname.slice(1));
    const file = files.get(path);
    if (!file) return void response.writeHead(404).end();
    const isCompressed = gzippedBytes(path, file) < file.length;
    response.setHeader("content-type", lookup(path) ?? "application/octet-stream");
    if (isCompressed) response.setHeader("content-encoding", "gzip");
    response.end(isCompressed ? compress.gzip(file) : file);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
