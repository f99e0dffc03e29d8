/** The windows in which a site can be recorded. */
import type { Protocol } from "puppeteer-core";
import { type BrowserWindow, labWindow } from "../../schema/browser-window.ts";

export interface View extends BrowserWindow {
  /** Absent for the browser's own user agent. */
  userAgent?: Protocol.Emulation.SetUserAgentOverrideRequest;
}

export const viewNames = ["lab", "desktop", "phone"] as const;
export type ViewName = (typeof viewNames)[number];

/** @param version the browser's version, such as "HeadlessChrome/150.0.7871.100" */
export function viewOf(name: ViewName, version: string): View {
  if (name === "lab") return labWindow;
  if (name === "desktop") return { width: 1350, height: 940, mobile: false, scale: 1 };
  const [major = "0"] = /\d+/.exec(version) ?? [];
  return {
    width: 412,
    height: 823,
    mobile: true,
    scale: 1.75,
    userAgent: {
      // Chrome's reduced user agent is the same on every phone.
      userAgent: `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Mobile Safari/537.36`,
      userAgentMetadata: { platform: "Android", platformVersion: "10", architecture: "", model: "K", mobile: true },
    },
  };
}
