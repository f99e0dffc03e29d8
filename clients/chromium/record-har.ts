/** What a browser asks the network for when it loads a page, as a HAR (HTTP Archive 1.2), which `./lab page import` reads. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import puppeteer, { type Browser, type HTTPRequest, type Page } from "puppeteer-core";
import { findProgram } from "../../hosts/command.ts";
import { giveAway } from "../../hosts/rights.ts";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { browserProgram, leastPrivilege } from "./start-chromium.ts";

/** After the load event: what scripts ask for then is a part of the page, and may never end. */
const [quietMs, patienceMs] = [1000, 10_000];

/** @throws LabError that names a URL that is none, or why the page did not load */
export async function recordHar(url: string, timeoutMs: number): Promise<object> {
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw usageError(`"${url}" is no URL of a page; one begins with http:// or https://`);
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

/** Another than that of loads, which talks to the lab alone. */
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
  const asked: { request: HTTPRequest; at: Date }[] = [];
  const bodies = new Map<HTTPRequest, Promise<Buffer | null>>();
  page.on("request", (request) => void asked.push({ request, at: new Date() }));
  // A redirect has none, nor has what the browser gave up.
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
    asked.map(async ({ request, at }) => entryOf(request, at, (await bodies.get(request)) ?? null)),
  );
  const recorded = { startedDateTime: asked[0]?.at.toISOString(), id: "page", title: await page.title() };
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

/** Times but the first are not what a HAR of this is for: the lab's own loads take theirs. */
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
