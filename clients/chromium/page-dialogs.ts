import type { Page } from "puppeteer-core";
import type { Dialogs } from "../../schema/evidence.ts";

const mostLetters = 200;
const most = 100;

/** Dismisses all dialogs from now on, because the page would wait for a user to close them. @returns the dismissed dialogs */
export function dismissDialogs(page: Page): Dialogs {
  const dismissed: Dialogs = [];
  page.on("dialog", (dialog) => {
    if (dismissed.length < most) dismissed.push({ type: dialog.type(), text: dialog.message().slice(0, mostLetters) });
    dialog.dismiss().catch(() => {}); // the page may be gone
  });
  return dismissed;
}
