import puppeteer, { type Browser } from "puppeteer-core";
import { findProgram } from "./command.ts";

export const browserProgram = "chromium-headless-shell";

export interface BrowserOptions {
  program: string;
  /** Host name -> address; every other name fails at once, so that no query leaves. */
  hosts: Map<string, string>;
  /** SHA-256 of the lab CA's public key, base64. */
  caFingerprint: string;
  /** For the profile: a folder in memory or in the container, gone with the host. */
  scratch: string;
}

/** A browser that talks to the lab alone, and only when a page asks it to. */
export async function startBrowser({ program, hosts, caFingerprint, scratch }: BrowserOptions): Promise<Browser> {
  const rules = [...[...hosts].map(([name, address]) => `MAP ${name} ${address}`), "MAP * ~NOTFOUND"];
  return puppeteer.launch({
    executablePath: findProgram(program),
    userDataDir: `${scratch}/profile`,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      "--no-sandbox", // its pages are the lab's own, and a container without capabilities has no namespaces to give
      `--host-resolver-rules=${rules.join(", ")}`,
      `--ignore-certificate-errors-spki-list=${caFingerprint}`,
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-domain-reliability",
      "--disable-gpu",
      "--disable-quic",
      "--disable-sync",
      "--no-first-run",
      "--no-pings",
    ],
  });
}
