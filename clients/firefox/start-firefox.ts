import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { Browser } from "puppeteer-core";
import { findProgram, run } from "../../hosts/command.ts";
import { environment } from "../../hosts/environment.ts";
import { makeOwner, unprivileged } from "../../hosts/rights.ts";
import { announcementOf } from "../../schema/discovery.ts";
import { quicPorts } from "../../schema/protocol.ts";
import type { ClientOptions } from "../client.ts";
import { keyLogOf } from "../key-log.ts";

export const browserProgram = "firefox-esr";

/** Added to Puppeteer's preferences, which already turn off updates, safe browsing, telemetry and speculative connections. */
const preferences = {
  "network.dns.disableIPv6": true,
  "network.trr.mode": 5, // no DNS over HTTPS
  "network.dns.native_https_query": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
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
  // The browser's CPU time would not include children of a fork server; prelaunched processes would disturb loads.
  "dom.ipc.forkserver.enable": false,
  "dom.ipc.processPrelaunch.enabled": false,
  "privacy.reduceTimerPrecision": false, // Navigation Timing in fractions of a millisecond
};

/** Firefox cannot force HTTP/3. A preference for its tests replaces announcements in responses: host -> port of HTTP/3, for all ports of the host. */
function http3Preferences({ http3, hosts, protocols }: ClientOptions): Record<string, string | boolean> {
  if (!http3) return { "network.http.http3.enable": false };
  const mapping = quicPorts(protocols).flatMap((port) => hosts.map(({ name }) => `${name};${announcementOf(port)}`));
  return {
    "network.http.http3.enable": true,
    // Otherwise Firefox stops using HTTP/3 when a CA is added to its built-in ones.
    "network.http.http3.disable_when_third_party_roots_found": false,
    ...(http3 === "forced" && { "network.http.http3.alt-svc-mapping-for-testing": mapping.join(",") }),
  };
}

/** On the virtual clock, drawing sixty frames a second in five threads delays the browser's network thread; one frame a second is enough. */
const virtualPreferences = environment.virtualClock ? { "layout.frame_rate": 1 } : {};

/** Variables that turn off the sandbox: its system call filter fails in a user-mode kernel. The whole guest is an ordinary process anyway. */
const withoutSandbox = Object.fromEntries(
  ["CONTENT", "GMP", "RDD", "SOCKET_PROCESS", "UTILITY"].map((part) => [`MOZ_DISABLE_${part}_SANDBOX`, "1"]),
);

/** Starts a browser that resolves only the lab's hosts (by nss_wrapper(1), for lack of host rules), and writes only to its scratch folder. */
export async function startBrowser(options: ClientOptions): Promise<Browser> {
  const { hosts, authorities, scratch, logs, http3 } = options;
  const { default: puppeteer } = await import("puppeteer-core"); // importing it takes time, and many processes start no browser
  const names = `${scratch}/hosts`;
  writeFileSync(names, hosts.map(({ name, address }) => `${address} ${name}\n`).join(""), { mode: 0o644 });
  makeOwner(scratch, "browser");
  process.on("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
  const profile = `${scratch}/profile`;
  mkdirSync(profile);
  makeOwner(profile, "browser");
  await trust(profile, authorities);
  const [program = "", ...words] = [...unprivileged("browser"), findProgram(browserProgram)];
  return puppeteer.launch({
    browser: "firefox",
    executablePath: findProgram(program),
    ignoreDefaultArgs: true,
    args: [...words, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0", "about:blank"],
    extraPrefsFirefox: { ...preferences, ...http3Preferences(options), ...virtualPreferences },
    env: {
      ...environment.processorChoices,
      PATH: process.env.PATH,
      HOME: scratch,
      TMPDIR: scratch,
      MOZ_REMOTE_SETTINGS_DEVTOOLS: "1", // otherwise a release ignores services.settings.server
      LD_PRELOAD: "libnss_wrapper.so",
      NSS_WRAPPER_HOSTS: names,
      // The TLS secrets. The evidence needs them to decrypt QUIC packets; over TCP, only people who read a capture need them.
      ...(logs !== undefined || http3 ? { SSLKEYLOGFILE: keyLogOf(options) } : {}),
      ...(environment.virtualClock ? withoutSandbox : {}),
    },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

async function trust(profile: string, authorities: readonly string[]): Promise<void> {
  const certutil = (...words: string[]) =>
    run([...unprivileged("browser"), "certutil", "-d", `sql:${profile}`, ...words]);
  await certutil("-N", "--empty-password");
  for (const [i, pem] of authorities.entries()) {
    const file = `${profile}/authority-${i}.pem`;
    writeFileSync(file, pem, { mode: 0o644 });
    await certutil("-A", "-n", `lab ${i}`, "-t", "C,,", "-i", file); // C: trusted for servers
  }
}
