import type { Registries } from "../schema/registries.ts";
import type { Settings } from "../schema/settings.ts";
import type { ServerSoftware } from "./software.ts";

type Abilities = Pick<Registries["servers"][string], "quicWindow" | "quicCongestion">;

/** Returns which QUIC settings a server's program accepts, in the form in which a run's registries record them. */
export const quicAbilities = ({
  can,
  quicCongestion,
  quicWindowsIn,
}: Pick<ServerSoftware, "can" | "quicCongestion" | "quicWindowsIn">): Abilities => ({
  ...(can.includes("quicWindow") && { quicWindow: quicWindowsIn ? "logged" : true }),
  ...(quicCongestion && { quicCongestion: [...quicCongestion.controls] }),
});

/** A condition's settings for QUIC, which are options of a server's program. For TCP, the host's route has window and congestion control. */
export interface QuicOptions {
  quicWindow?: number;
  quicCongestion?: string;
}

/** @returns only what the server accepts, because any change of these options restarts it */
export const quicOptions = (
  { quicWindow, quicCongestion }: Abilities,
  { initcwnd, congestion }: Settings["route"]["server"],
): QuicOptions => ({
  ...(quicWindow && typeof initcwnd === "number" && { quicWindow: initcwnd }),
  ...(quicCongestion?.includes(congestion) && { quicCongestion: congestion }),
});
