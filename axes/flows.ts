import type { FlowEvidence } from "../schema/evidence.ts";

/** A connection that its server sent data on, with what to call it in a message. */
export type UsedFlow = FlowEvidence & { server: NonNullable<FlowEvidence["server"]>; name: string };

/** Without the sockets that a browser opened and did not use. */
export const usedFlows = (flows: readonly FlowEvidence[]): UsedFlow[] =>
  flows.flatMap((flow) => {
    const { server, clientPort, host } = flow;
    return server && server.sentSegments > 0 ? [{ ...flow, server, name: `connection ${clientPort} to ${host}` }] : [];
  });
