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

/** A condition's settings for QUIC, which are options of a server's program. For TCP, window and congestion control are set on the host's route. */
export interface QuicOptions {
  quicWindow?: number;
  quicCongestion?: string;
}

/** @returns only options that the server accepts, because a changed option restarts the server */
export const quicOptions = (
  { quicWindow, quicCongestion }: Abilities,
  { initcwnd, congestion }: Settings["route"]["server"],
): QuicOptions => ({
  ...(quicWindow && typeof initcwnd === "number" && { quicWindow: initcwnd }),
  ...(quicCongestion?.includes(congestion) && { quicCongestion: congestion }),
});
