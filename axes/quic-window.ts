/** The initial window of QUIC connections, if the server software can set it. */
import type { Evidence } from "../schema/evidence.ts";
import { standardWindow } from "../schema/linux.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import type { adaptive } from "../schema/settings.ts";
import { hidden, isInconclusive, type Verdict, verdictOf } from "./axis.ts";
import { largestBodyOf } from "./expected.ts";
import { onlyOverTcp, usedQuicFlows, usedQuicHosts } from "./flows.ts";

/** Servers begin with packets of this size, which all paths carry, and count their window in them (RFC 9000, section 14; RFC 9002, 7.2). */
export const quicPacketBytes = 1200;

const overTcp = onlyOverTcp<number | typeof adaptive>(standardWindow, "initial window");

const settingOf = ({ server }: ConditionValues, { servers }: Registries) => servers[server]?.quicWindow;

export function refusesQuicWindow(
  asked: number | typeof adaptive,
  all: ConditionValues,
  registries: Registries,
): string | null {
  if (typeof asked === "number" && settingOf(all, registries)) return null;
  const refusal = overTcp.refuses(asked, all, registries);
  const others = Object.keys(registries.servers).filter((server) => registries.servers[server]?.quicWindow);
  return refusal && others.length
    ? `${refusal}; other numbers are allowed with server ${others.join(" or ")}`
    : refusal;
}

/**
 * A window that servers log is confirmed by the log of each server that a connection used, unless more bytes were in flight (fewer may have other
 * causes). Any other window is confirmed if more bytes were in flight than a smaller window allows, and no server stopped at fewer.
 */
export function provesQuicWindow(
  asked: number,
  all: ConditionValues,
  evidence: Evidence,
  registries: Registries,
): Verdict {
  const setting = settingOf(all, registries);
  if (!setting) return overTcp.notObservable;
  const bytes = asked * quicPacketBytes;
  const seen = seenWindows(evidence);
  const larger = seen.flatMap(({ name, atLeast }) =>
    atLeast > bytes ? [`${name}: an initial window of at least ${atLeast} bytes instead of ${bytes}`] : [],
  );
  if (setting === "logged") return verdictOf([...larger, ...problemsOfLogs(bytes, evidence, registries)]);
  const smaller = seen.flatMap(({ name, atLeast, stopped }) =>
    atLeast <= bytes && stopped !== null && stopped < bytes
      ? [`${name}: an initial window of at most ${stopped} bytes instead of ${bytes}`]
      : [],
  );
  if (larger.length + smaller.length) return { contradicts: [...larger, ...smaller] };
  if (seen.some(({ atLeast }) => atLeast > bytes - quicPacketBytes)) return "confirmed";
  if (!seen.length) return { notObservable: "the client logged no secrets that decrypt its packets" };
  // Until the server has validated the client's address, it may send three times the bytes that it has received (RFC 9000, section 8.1).
  if (seen.some(({ isEarly }) => isEarly))
    return {
      notObservable: "a response to early data is limited by the client's bytes until its address is validated",
    };
  const between = seen.find(({ stopped }) => stopped !== null);
  if (between)
    return {
      notObservable: `acknowledgments before the first response let the window grow: it began with ${between.atLeast} to ${between.stopped} bytes`,
    };
  const largestBytes = largestBodyOf(all, registries);
  if (largestBytes === null || largestBytes < bytes)
    return { notObservable: `no response was long enough to fill ${asked} packets` };
  const verdict = hidden(evidence, "no connection had that many bytes in flight at first");
  // A server that paces spreads its first window over a round trip, and acknowledgments arrive before the window is full.
  return isInconclusive(verdict) ? verdict : { notObservable: "no server stopped at its window, because it paces" };
}

/** The bounds of each connection's window, as its packets show them if they were decrypted. */
const seenWindows = ({ packets }: Evidence) =>
  usedQuicFlows(packets.quicFlows).flatMap(({ name, server: { opened, longHeaders } }) => {
    if (!opened?.initialWindowAtLeastBytes) return [];
    const isEarly = longHeaders.zeroRtt > 0;
    return [
      { name, atLeast: opened.initialWindowAtLeastBytes, stopped: isEarly ? null : opened.stoppedBytes, isEarly },
    ];
  });

function problemsOfLogs(bytes: number, evidence: Evidence, registries: Registries): string[] {
  const used = usedQuicHosts(evidence, registries);
  if (!used.length) return ["no server's capture has a QUIC connection"];
  return used.flatMap(({ service, name }) => {
    const windows = evidence.quicInitialBytes?.[service] ?? [];
    if (windows.join() === String(bytes)) return [];
    const said = windows.length ? `an initial window of ${windows.join(" and ")} bytes` : "no initial window";
    return [`${name}: its log has ${said}; ${bytes} bytes are configured`];
  });
}
