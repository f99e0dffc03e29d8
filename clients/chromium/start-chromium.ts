import { createHash, X509Certificate } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import puppeteer, { type Browser } from "puppeteer-core";
import { findProgram, run } from "../../hosts/command.ts";
import { environment } from "../../hosts/environment.ts";
import { giveAway, neverRoot, unprivileged } from "../../hosts/rights.ts";
import { quicOrigins } from "../../schema/protocol.ts";
import { type ClientOptions, keyLog } from "../client.ts";

export const browserProgram = "chromium-headless-shell";

/** A browser that talks to the lab alone, only when a page asks it to, and can write to its scratch folder alone. */
export async function startBrowser(
  { hosts, protocols, authorities, scratch, logs }: ClientOptions,
  { program, preferences }: { program: string; preferences?: object } = { program: browserProgram },
): Promise<Browser> {
  giveAway(scratch, "browser");
  if (preferences) writePreferences(`${scratch}/profile`, preferences);
  process.on("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
  const { words, flags } = await leastPrivilege();
  const overQuic = quicOrigins(hosts, protocols);
  const rules = [...[...hosts].map(({ name, address }) => `MAP ${name} ${address}`), "MAP * ~NOTFOUND"];
  const [executablePath = "", ...wordsBefore] = [
    ...words.map((word, i) => (i === 0 ? findProgram(word) : word)),
    findProgram(program),
  ];
  const args = puppeteer.defaultArgs({
    userDataDir: `${scratch}/profile`,
    args: [
      ...flags,
      ...(logs === undefined ? [] : logFlags(logs)),
      `--host-resolver-rules=${rules.join(", ")}`,
      `--ignore-certificate-errors-spki-list=${authorities.map(keyFingerprint).join(",")}`,
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-domain-reliability",
      "--disable-gpu",
      // A client uses QUIC for what it is told to, at the first request; elsewhere only where a response says so (Alt-Svc).
      ...(overQuic.length ? [`--origin-to-force-quic-on=${overQuic.join(",")}`] : ["--disable-quic"]),
      "--disable-sync",
      "--no-first-run",
      "--no-pings",
      // Host rules do not bind WebRTC, nor the multicast DNS that hides its addresses.
      "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
      "--disable-features=WebRtcHideLocalIpsWithMdns",
    ],
  });
  return puppeteer.launch({
    executablePath,
    ignoreDefaultArgs: true,
    args: [...wordsBefore, ...args],
    pipe: true, // a port would be one that pages can knock at
    env: { PATH: process.env.PATH, HOME: scratch, TMPDIR: scratch },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** With headers and cookies, which are the lab's own; without bodies, which packets have. */
const logFlags = (folder: string): string[] => [
  `--ssl-key-log-file=${folder}/${keyLog}`,
  `--log-net-log=${folder}/netlog.json`,
  "--net-log-capture-mode=IncludeSensitive",
];

/** SHA-256 of a certificate's public key (SPKI), base64. */
const keyFingerprint = (pem: string): string =>
  createHash("sha256")
    .update(new X509Certificate(pem).publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");

/** Of the profile's own, which the browser then keeps there. */
function writePreferences(profile: string, preferences: object): void {
  const folder = `${profile}/Default`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/Preferences`, JSON.stringify(preferences));
  for (const path of [profile, folder, `${folder}/Preferences`]) giveAway(path, "browser");
}

/**
 * Chromium's own sandbox needs user namespaces: Docker's seccomp profile and a chroot have none to give. There, the
 * browser is still a user without capabilities, and its pages are the lab's own. On the virtual clock the whole guest is
 * an ordinary process with nothing but read-only files around it; sandboxed renderers crash there.
 */
export async function leastPrivilege(): Promise<{ words: string[]; flags: string[] }> {
  const words = neverRoot("browser");
  const sandbox = environment.virtualClock
    ? false
    : await run([...words, "unshare", "--user", "true"]).then(
        () => true,
        () => false,
      );
  return sandbox ? { words, flags: [] } : { words: unprivileged("browser"), flags: ["--no-sandbox"] };
}
