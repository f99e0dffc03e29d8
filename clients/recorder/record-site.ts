/** Records a site: a browser visits it through a proxy that keeps every response. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Browser } from "puppeteer-core";
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { Seen } from "../../sites/recorder/seen-exchange.ts";
import { browserProgram, keyFingerprint, launchUnprivileged } from "../chromium/start-chromium.ts";
import { bySystem, OriginConnections, type Resolve } from "./origin-connections.ts";
import { makeOwnCertificate, type OwnCertificate } from "./own-certificate.ts";
import { openProxy } from "./recording-proxy.ts";
import { viewOf } from "./views.ts";
import { leftOutOf } from "./visit-left-out.ts";
import { type SiteVisit, visitPage } from "./visit-page.ts";
import { recordedUrl } from "./visited-document.ts";

export interface RecorderOptions {
  /** Aborts the visit; nothing of it is kept. */
  signal: AbortSignal;
  say(text: string): void;
  resolve?: Resolve;
}

const reportEveryMs = 5000;

/** @throws LabError with the reason why there is no page to record */
export async function recordSite(
  visit: SiteVisit,
  { signal, say, resolve = bySystem }: RecorderOptions,
): Promise<Seen> {
  const own = await makeOwnCertificate();
  const origins = new OriginConnections({ resolve, insecure: visit.insecure });
  const stop = new AbortController();
  const proxy = await openProxy(origins, own, (excess) => stop.abort(excess));
  const { requests } = proxy;
  const scratch = mkdtempSync(`${tmpdir()}/lab-record-`);
  const report = setInterval(
    () => say(`${requests.exchanges.length} responses, ${megabytes(requests.bytes)}, ${requests.open.size} still open`),
    reportEveryMs,
  );
  const ending = ended(AbortSignal.any([signal, stop.signal]));
  const starting = startBrowser(scratch, proxy.port, own);
  try {
    const startedAt = new Date();
    const browser = await Promise.race([starting, ending]);
    const version = await browser.version();
    const view = viewOf(visit.view, version);
    const visited = await Promise.race([visitPage(browser, visit, view, requests, say), ending]);
    requests.settle();
    const firstUrl = recordedUrl(visit, requests, visited);
    const exchanges = requests.exchanges.toSorted((a, b) => a.startMs - b.startMs);
    const names = [...new Set(exchanges.map((one) => new URL(one.url).host))];
    const leftOut = leftOutOf(requests, visited, visit);
    await browser.close();
    say("measuring TCP handshakes");
    await Promise.race([origins.measureHandshakes(names), ending]);
    return {
      url: firstUrl,
      recordedAt: startedAt,
      recordedBy: version,
      view: { width: view.width, height: view.height, mobile: view.mobile, scale: view.scale },
      exchanges,
      names: names.map((name) => origins.of(name)),
      leftOut,
    };
  } finally {
    clearInterval(report);
    await starting.then((browser) => browser.close()).catch(() => {}); // the browser may not have started
    await proxy.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function ended(signal: AbortSignal): Promise<never> {
  const promise = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  promise.catch(() => {}); // prevents an unhandled rejection if nothing awaits it
  return promise;
}

async function startBrowser(scratch: string, port: number, own: OwnCertificate): Promise<Browser> {
  try {
    return await launchUnprivileged({ program: browserProgram, scratch }, [
      `--proxy-server=http://127.0.0.1:${port}`,
      "--proxy-bypass-list=<-loopback>", // requests to this machine go through the proxy, too
      `--ignore-certificate-errors-spki-list=${keyFingerprint(own.cert)}`,
      "--disable-quic",
    ]);
  } catch (error) {
    throw new LabError(ExitCode.machineCannot, `the browser does not start: ${(error as Error).message}`);
  }
}
