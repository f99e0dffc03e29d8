/** Records a page load from the Internet as a HAR (HTTP Archive 1.2), which `./lab page import` reads. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import puppeteer, { type Browser, type HTTPRequest, type Page } from "puppeteer-core";
import { findProgram } from "../../hosts/command.ts";
import { giveAway } from "../../hosts/rights.ts";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { browserProgram, leastPrivilege } from "./start-chromium.ts";

/** Scripts may send requests after the load event: recording ends when there are none for a second, or after ten. */
const [quietMs, patienceMs] = [1000, 10_000];

/** @throws LabError for an invalid URL, or when the page does not load */
export async function recordHar(url: string, timeoutMs: number): Promise<object> {
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw usageError(`"${url}" is no URL of a page; one starts with http:// or https://`);
  const scratch = mkdtempSync(`${tmpdir()}/lab-record-`);
  let browser: Browser | undefined;
  try {
    browser = await networkedBrowser(scratch);
    return await record(await browser.newPage(), url, timeoutMs);
  } finally {
    await browser?.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A browser with access to the network, unlike those of loads. */
async function networkedBrowser(scratch: string): Promise<Browser> {
  giveAway(scratch, "browser");
  const { words, flags } = await leastPrivilege();
  const [executablePath = "", ...wordsBefore] = [...words, browserProgram].map((word) =>
    word === words[0] || word === browserProgram ? findProgram(word) : word,
  );
  return puppeteer.launch({
    executablePath,
    ignoreDefaultArgs: true,
    args: [...wordsBefore, ...puppeteer.defaultArgs({ userDataDir: `${scratch}/profile`, args: flags })],
    pipe: true,
    env: { PATH: process.env.PATH, HOME: scratch, TMPDIR: scratch },
  });
}

async function record(page: Page, url: string, timeoutMs: number): Promise<object> {
  const requests: { request: HTTPRequest; at: Date }[] = [];
  const bodies = new Map<HTTPRequest, Promise<Buffer | null>>();
  page.on("request", (request) => void requests.push({ request, at: new Date() }));
  // Redirects and cancelled requests have no body.
  page.on("response", (response) =>
    bodies.set(
      response.request(),
      response.buffer().then(
        (content) => Buffer.from(content),
        () => null,
      ),
    ),
  );
  try {
    await page.goto(url, { waitUntil: "load", timeout: timeoutMs });
  } catch (error) {
    throw new LabError(ExitCode.failed, `cannot record ${url}: ${(error as Error).message}`);
  }
  await page.waitForNetworkIdle({ idleTime: quietMs, timeout: patienceMs }).catch(() => {});
  const entries = await Promise.all(
    requests.map(async ({ request, at }) => entryOf(request, at, (await bodies.get(request)) ?? null)),
  );
  const recorded = { startedDateTime: requests[0]?.at.toISOString(), id: "page", title: await page.title() };
  return {
    log: {
      version: "1.2",
      creator: { name: "Pageload Lab", version: await page.browser().version() },
      pages: [{ ...recorded, pageTimings: {} }],
      entries,
    },
  };
}

const fields = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => ({ name, value }));

/** Only the start time is recorded: importing a page needs no others. */
function entryOf(request: HTTPRequest, at: Date, body: Buffer | null): object {
  const response = request.response();
  const headers = response?.headers() ?? {};
  const unknown = { cookies: [], headersSize: -1, bodySize: -1, httpVersion: "" };
  return {
    pageref: "page",
    startedDateTime: at.toISOString(),
    time: 0,
    request: {
      ...unknown,
      method: request.method(),
      url: request.url(),
      headers: fields(request.headers()),
      queryString: [...new URL(request.url()).searchParams].map(([name, value]) => ({ name, value })),
    },
    response: {
      ...unknown,
      status: response?.status() ?? 0,
      statusText: response?.statusText() ?? request.failure()?.errorText ?? "",
      headers: fields(headers),
      content: {
        size: body?.length ?? 0,
        mimeType: headers["content-type"] ?? "",
        ...(body && { text: body.toString("base64"), encoding: "base64" }),
      },
      redirectURL: headers.location ?? "",
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  };
}
