import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import puppeteer, { type Browser } from "puppeteer-core";
import { findProgram, run } from "../../hosts/command.ts";
import { environment } from "../../hosts/environment.ts";
import { giveAway, unprivileged } from "../../hosts/rights.ts";
import { type ClientOptions, keyLog } from "../client.ts";

export const browserProgram = "firefox-esr";

/** What it would do by itself, beside what Puppeteer switches off for tests (updates, safe browsing, telemetry, speculative connections). */
const preferences = {
  // HTTP/3 is for what a response has announced, names are the lab's alone.
  "network.http.http3.enable": false,
  "network.dns.disableIPv6": true,
  "network.trr.mode": 5, // off, by choice: no names from an HTTPS resolver
  "network.dns.native_https_query": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  // What it guesses that a page is about to need.
  "network.prefetch-next": false,
  "network.dns.disablePrefetch": true,
  "network.predictor.enabled": false,
  "services.settings.server": "data:,#remote-settings-dummy/v1", // as in Mozilla's own tests
  "browser.region.update.enabled": false,
  "dom.push.connection.enabled": false,
  "media.peerconnection.enabled": false,
  "security.OCSP.enabled": 0,
  "dom.security.https_only_mode": false,
  "dom.security.https_first": false,
  // A process that starts the others ends them without telling the kernel what they used of the processor; nor are any kept ready.
  "dom.ipc.forkserver.enable": false,
  "dom.ipc.processPrelaunch.enabled": false,
  // Navigation Timing in fractions of a millisecond.
  "privacy.reduceTimerPrecision": false,
};

/**
 * Where only what programs wait for takes time, sixty pictures a second that nobody sees take so much of it, in five threads,
 * that its network waits for the processor. So it draws one a second there.
 */
const virtualPreferences = environment.virtualClock ? { "layout.frame_rate": 1 } : {};

/** Its sandbox's filter of system calls is not for a user-mode kernel; there, the whole guest is an ordinary process. */
const withoutSandbox = Object.fromEntries(
  ["CONTENT", "GMP", "RDD", "SOCKET_PROCESS", "UTILITY"].map((part) => [`MOZ_DISABLE_${part}_SANDBOX`, "1"]),
);

/**
 * A browser that finds the lab's hosts alone, and can write to its scratch folder alone. It has no rules for names as
 * Chromium has: the C library's resolver is wrapped (nss_wrapper(1)), and there is no other it could ask.
 */
export async function startBrowser({ hosts, authorities, scratch, logs }: ClientOptions): Promise<Browser> {
  const names = `${scratch}/hosts`;
  writeFileSync(names, hosts.map(({ name, address }) => `${address} ${name}\n`).join(""), { mode: 0o644 });
  giveAway(scratch, "browser");
  process.on("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
  const profile = `${scratch}/profile`;
  mkdirSync(profile);
  giveAway(profile, "browser");
  await trust(profile, authorities);
  const [program = "", ...words] = [...unprivileged("browser"), findProgram(browserProgram)];
  return puppeteer.launch({
    browser: "firefox",
    executablePath: findProgram(program),
    ignoreDefaultArgs: true,
    args: [...words, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0", "about:blank"],
    extraPrefsFirefox: { ...preferences, ...virtualPreferences },
    env: {
      PATH: process.env.PATH,
      HOME: scratch,
      TMPDIR: scratch,
      MOZ_REMOTE_SETTINGS_DEVTOOLS: "1", // or a release takes no other server for its settings than Mozilla's
      LD_PRELOAD: "libnss_wrapper.so",
      NSS_WRAPPER_HOSTS: names,
      ...(logs === undefined ? {} : { SSLKEYLOGFILE: `${logs}/${keyLog}` }),
      ...(environment.virtualClock ? withoutSandbox : {}),
    },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** The profile's own list of authorities, beside which the browser knows those of the world. */
async function trust(profile: string, authorities: readonly string[]): Promise<void> {
  const certutil = (...words: string[]) =>
    run([...unprivileged("browser"), "certutil", "-d", `sql:${profile}`, ...words]);
  await certutil("-N", "--empty-password");
  for (const [i, pem] of authorities.entries()) {
    const file = `${profile}/authority-${i}.pem`;
    writeFileSync(file, pem, { mode: 0o644 });
    await certutil("-A", "-n", `lab ${i}`, "-t", "C,,", "-i", file); // C: it signs for servers
  }
}
