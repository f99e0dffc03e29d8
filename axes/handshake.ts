import type { ConnectionEvidence, Evidence, ServerHello } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import { entryOf, type Registries } from "../schema/registries.ts";
import { type Verdict, verdictOf } from "./axis.ts";
import { isOverQuic, mayUseBoth, usedFlows, usedQuicFlows } from "./flows.ts";

interface TlsProof {
  /** The name of the checked property in messages. */
  what: string;
  asked: string;
  /** The value in a ServerHello; null if a hello of this TLS version does not contain it. */
  inHello(hello: ServerHello): string | null;
  byClient(said: NonNullable<ConnectionEvidence["tls"]>): string;
  /** The protocol that drives the client, if the client reports nothing about TLS. Then only ServerHellos can confirm the value. */
  drivenBy: string | undefined;
}

/** Checks what server and client negotiated on each connection, by the server's capture and by the client's report. */
export function provesTls(
  evidence: Evidence,
  all: ConditionValues,
  registries: Registries,
  { what, asked, inHello, byClient, drivenBy }: TlsProof,
): Verdict {
  if (entryOf(registries.protocols, "protocols", all.protocol).scheme === "http")
    return { notObservable: "HTTP in the clear has no TLS" };
  const { flows, quicFlows } = evidence.packets;
  const isOnlyQuic = isOverQuic(all, registries) && !mayUseBoth(all, registries);
  const used = [
    ...(isOnlyQuic ? [] : usedFlows(flows)),
    ...(isOverQuic(all, registries) ? usedQuicFlows(quicFlows) : []),
  ];
  if (drivenBy && used.length > 0 && used.every(({ server: { hello } }) => hello && inHello(hello) === null))
    return {
      notObservable: `no ServerHello of this version of TLS contains the ${what}, and ${drivenBy} does not report it`,
    };
  const hellos = used.flatMap(({ name, server: { hello } }) => {
    if (!hello) return [`${name}: no ServerHello was seen`];
    const seen = inHello(hello);
    return seen === null || seen === asked ? [] : [`${name}: ${what} ${seen} instead of ${asked}, by its ServerHello`];
  });
  const said = evidence.connections.flatMap(({ id, host, tls }) => {
    if (!tls && drivenBy) return [];
    if (!tls) return [`connection ${id} to ${host}: the client does not report its ${what}`];
    const one = byClient(tls);
    return one === asked ? [] : [`connection ${id} to ${host}: ${what} ${one} instead of ${asked}, by the client`];
  });
  return verdictOf([...hellos, ...said]);
}
