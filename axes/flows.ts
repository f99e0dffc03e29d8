import type { Evidence, FlowEvidence, QuicFlowEvidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";

export const isOverQuic = ({ protocol }: ConditionValues, { protocols }: Pick<Registries, "protocols">): boolean =>
  protocols[protocol]?.transport === "quic";

/**
 * Settings of TCP do not change a load over QUIC: QUIC's windows and congestion control are the server software's own, and encrypted.
 * @param left the only value that is allowed over QUIC, because it changes nothing
 */
export const onlyOverTcp = <V>(left: V, what: string) => ({
  refuses: (value: V, all: ConditionValues, registries: Registries): string | null =>
    value !== left && isOverQuic(all, registries)
      ? `${all.protocol} has no TCP, and nothing sets QUIC's own ${what}; only ${left}, which asks TCP for nothing, is allowed`
      : null,
  notObservable: {
    notObservable: `QUIC's ${what} is the server software's own: nothing sets it, and what would show it is encrypted`,
  },
});

/** How many web sockets the page asked for. Each has a connection of its own, over TCP and HTTP/1.1 whatever the page comes by. */
export const socketsOf = ({ unanswered = [] }: Pick<Evidence, "unanswered">): number =>
  unanswered.filter(({ url }) => /^wss?:/.test(url)).length;

/** A connection on which the server sent data, with its name for messages. */
type Used<Flow extends { server: unknown }> = Flow & { server: NonNullable<Flow["server"]>; name: string };
export type UsedFlow = Used<FlowEvidence>;
export type UsedQuicFlow = Used<QuicFlowEvidence>;

const nameOf = ({ clientPort, host }: { clientPort: number; host: string }) => `connection ${clientPort} to ${host}`;

/** Without connections that a browser opened and never used. */
export const usedFlows = (flows: readonly FlowEvidence[]): UsedFlow[] =>
  flows.flatMap((flow) => {
    const { server } = flow;
    return server && server.sentSegments > 0 ? [{ ...flow, server, name: nameOf(flow) }] : [];
  });

/** Without connections that the server's capture did not see. */
export const usedQuicFlows = (flows: readonly QuicFlowEvidence[] = []): UsedQuicFlow[] =>
  flows.flatMap((flow) => {
    const { server } = flow;
    return server && server.sent.datagrams > 0 ? [{ ...flow, server, name: nameOf(flow) }] : [];
  });
