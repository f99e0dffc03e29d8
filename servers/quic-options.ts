import type { Registries } from "../schema/registries.ts";
import type { Settings } from "../schema/settings.ts";
import type { ServerSoftware } from "./software.ts";

type Abilities = Pick<Registries["servers"][string], "quicWindow" | "quicCongestion">;

/** Which QUIC settings a server's program accepts, as a run's registries record it. */
export const quicAbilities = ({
  can,
  quicCongestion,
  quicWindowsIn,
}: Pick<ServerSoftware, "can" | "quicCongestion" | "quicWindowsIn">): Abilities => ({
  ...(can.includes("quicWindow") && { quicWindow: quicWindowsIn ? "logged" : true }),
  ...(quicCongestion && { quicCongestion: [...quicCongestion.controls] }),
});

/** A condition's settings for QUIC that are options of a server's program. For TCP, the host's route sets window and congestion control. */
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
