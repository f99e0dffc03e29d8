import type { FlowEvidence, QuicFlowEvidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";

export const isOverQuic = ({ protocol }: ConditionValues, { protocols }: Pick<Registries, "protocols">): boolean =>
  protocols[protocol]?.transport === "quic";

/**
 * What TCP has of its own cannot be asked of a load over QUIC, whose rows would differ in name alone: QUIC has windows and a
 * congestion control of its own, the server software's, and what they are is encrypted.
 * @param left the value that asks for nothing
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

/** A connection that its server sent data on, with what to call it in a message. */
type Used<Flow extends { server: unknown }> = Flow & { server: NonNullable<Flow["server"]>; name: string };
export type UsedFlow = Used<FlowEvidence>;
export type UsedQuicFlow = Used<QuicFlowEvidence>;

const nameOf = ({ clientPort, host }: { clientPort: number; host: string }) => `connection ${clientPort} to ${host}`;

/** Without the sockets that a browser opened and did not use. */
export const usedFlows = (flows: readonly FlowEvidence[]): UsedFlow[] =>
  flows.flatMap((flow) => {
    const { server } = flow;
    return server && server.sentSegments > 0 ? [{ ...flow, server, name: nameOf(flow) }] : [];
  });

/** Without those whose server saw nothing of them: it is no witness. */
export const usedQuicFlows = (flows: readonly QuicFlowEvidence[] = []): UsedQuicFlow[] =>
  flows.flatMap((flow) => {
    const { server } = flow;
    return server && server.sent.datagrams > 0 ? [{ ...flow, server, name: nameOf(flow) }] : [];
  });
