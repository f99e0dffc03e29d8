import type { Page } from "puppeteer-core";
import type { BrowserWindow } from "../../schema/browser-window.ts";

export async function setWindow(page: Page, { width, height, mobile, scale }: BrowserWindow): Promise<void> {
  const session = await page.createCDPSession();
  await session.send("Emulation.setDeviceMetricsOverride", { width, height, mobile, deviceScaleFactor: scale });
  if (mobile) await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
}
