import { createHash, X509Certificate } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { Browser } from "puppeteer-core";
import { chromiumV8Flags } from "../../hosts/bundled.ts";
import { findProgram, run } from "../../hosts/command.ts";
import { environment } from "../../hosts/environment.ts";
import { makeOwner, neverRoot, unprivileged } from "../../hosts/rights.ts";
import { quicOrigins } from "../../schema/protocol.ts";
import type { ClientOptions } from "../client.ts";
import { keyLogOf } from "../key-log.ts";

export const browserProgram = "chromium-headless-shell";

/** Starts a browser that connects only to the lab's hosts, only to load pages, and writes only to its scratch folder. */
export async function startBrowser(
  { hosts, protocols, recorded, authorities, scratch, logs, http3 = "forced" }: ClientOptions,
  { program, preferences }: { program: string; preferences?: object } = { program: browserProgram },
): Promise<Browser> {
  const overQuic =
    http3 === "announced" ? trustedOrigins(hosts) : [...quicOrigins(hosts, protocols), ...quicNames(recorded)];
  const rules = [
    ...recordedRules(recorded),
    ...[...hosts].map(({ name, address }) => `MAP ${name} ${address}`),
    "MAP * ~NOTFOUND",
  ];
  return launchUnprivileged({ program, preferences, scratch }, [
    ...(logs === undefined ? [] : netLogFlags(logs)),
    `--ssl-key-log-file=${keyLogOf({ scratch, logs })}`, // to decrypt the captured packets
    `--host-resolver-rules=${rules.join(", ")}`,
    `--ignore-certificate-errors-spki-list=${authorities.map(keyFingerprint).join(",")}`,
    // These origins use QUIC from the first request on. Without the flag they use QUIC only after a response has announced it (Alt-Svc).
    ...(overQuic.length ? [`--origin-to-force-quic-on=${overQuic.join(",")}`] : ["--disable-quic"]),
    ...(environment.virtualClock ? [`--js-flags=${chromiumV8Flags.join(" ")}`] : []),
  ]);
}

interface Launched {
  program: string;
  scratch: string;
  preferences?: object | undefined;
}

/** Starts a browser as an unprivileged user. It sends only what its pages request. @param options flags besides those that all browsers get */
export async function launchUnprivileged(
  { program, scratch, preferences }: Launched,
  options: readonly string[],
): Promise<Browser> {
  const { default: puppeteer } = await import("puppeteer-core"); // importing it takes time, and many processes start no browser
  makeOwner(scratch, "browser");
  if (preferences) writePreferences(`${scratch}/profile`, preferences);
  process.on("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
  const { words, flags } = await leastPrivilege();
  const [executablePath = "", ...wordsBefore] = [
    ...words.map((word, i) => (i === 0 ? findProgram(word) : word)),
    findProgram(program),
  ];
  const given = puppeteer.defaultArgs({
    userDataDir: `${scratch}/profile`,
    args: [
      ...flags,
      ...options,
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-domain-reliability",
      "--disable-gpu",
      "--disable-sync",
      "--block-new-web-contents", // only the headless shell has this option
      "--no-first-run",
      "--no-pings",
      // Host rules do not apply to WebRTC, nor to the multicast DNS that hides WebRTC's addresses.
      "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
      "--disable-features=WebRtcHideLocalIpsWithMdns",
    ],
  });
  // Puppeteer's defaults let scripts open windows without a click. Ordinary browsers block them. The windows' requests would belong to no page.
  const args = given.filter((one) => one !== "--disable-popup-blocking");
  return puppeteer.launch({
    executablePath,
    ignoreDefaultArgs: true,
    args: [...wordsBefore, ...args],
    pipe: true, // instead of a port, to which pages could connect
    // Puppeteer's network events slow down pages with many requests. Without them, Page.setUserAgent and others do nothing; DevTools commands work.
    networkEnabled: false,
    issuesEnabled: false,
    env: { ...environment.processorChoices, PATH: process.env.PATH, HOME: scratch, TMPDIR: scratch },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

const withPort = (name: string, { scheme }: { scheme: string }) =>
  /:\d+$/.test(name) ? name : `${name}:${scheme === "https" ? 443 : 80}`;

/** Maps each name and port of a recorded page to a host of the lab, and to the port that the page's protocol has on this host. */
const recordedRules = (recorded: ClientOptions["recorded"]): string[] =>
  (recorded?.names ?? []).map(
    ({ name, host, port }) => `MAP ${withPort(name, recorded!.protocol)} ${host.address}:${port}`,
  );

const quicNames = (recorded: ClientOptions["recorded"]): string[] =>
  recorded?.protocol.transport === "quic" ? recorded.names.map(({ name }) => withPort(name, recorded.protocol)) : [];

/**
 * Chromium uses an announcement of HTTP/3 only if the host has a certificate of a public CA (proof_verifier_chromium.cc), or an origin that
 * is forced to use QUIC. So each host gets such an origin, with a port that no page of the lab uses ("discard", RFC 863).
 */
const trustedOrigins = (hosts: ClientOptions["hosts"]): string[] => hosts.map(({ name }) => `${name}:9`);

/** IncludeSensitive adds headers and cookies, which are no secrets in the lab. The log has no bodies: the captured packets have them. */
const netLogFlags = (folder: string): string[] => [
  `--log-net-log=${folder}/netlog.json`,
  "--net-log-capture-mode=IncludeSensitive",
];

/** SHA-256 of a certificate's public key (SPKI), base64. */
export const keyFingerprint = (pem: string): string =>
  createHash("sha256")
    .update(new X509Certificate(pem).publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");

function writePreferences(profile: string, preferences: object): void {
  const folder = `${profile}/Default`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/Preferences`, JSON.stringify(preferences));
  for (const path of [profile, folder, `${folder}/Preferences`]) makeOwner(path, "browser");
}

/**
 * The sandbox needs user namespaces, which Docker's seccomp profile and a chroot do not permit. On the virtual clock, sandboxed renderers crash.
 * Without a sandbox, the browser has no capabilities and loads only the lab's pages; the virtual clock's guest is a process that can only read files.
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
