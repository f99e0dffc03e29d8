/** A page's DevTools sessions: frames of other sites, and workers of all kinds, have their own sessions, which report their requests. */
import type { CDPSession, Page } from "puppeteer-core";

export interface PageSession {
  session: CDPSession;
  of: "page or frame" | "worker" | "service worker";
}

/** Called for each session before its page, frame or worker sends the first request. */
export type BeginSession = (one: PageSession) => Promise<unknown>;

type Filter = { type?: string; exclude?: boolean }[];
/** No frame owns these workers, so only the browser's own session reports all of them. */
const ownerless = ["service_worker", "shared_worker"];
const ofBrowser: Filter = ownerless.map((type) => ({ type }));
const ofPage: Filter = [...ownerless.map((type) => ({ type, exclude: true })), {}];

function ownerOf(type: string): PageSession["of"] {
  if (type === "service_worker") return "service worker";
  return type.endsWith("worker") ? "worker" : "page or frame";
}

/** @returns the open sessions; the set changes when sessions begin and end */
export async function pageSessions(page: Page, begin: BeginSession): Promise<ReadonlySet<CDPSession>> {
  const open = new Set<CDPSession>();
  const follow = async (parent: CDPSession, filter: Filter) => {
    parent.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
      const session = parent.connection()?.session(sessionId);
      if (!session) return;
      open.add(session);
      // Within a session, commands are executed in order. Errors are ignored, because the frame or worker may be gone.
      const begun = [begin({ session, of: ownerOf(targetInfo.type) }), follow(session, ofPage)];
      const resumed = session.send("Runtime.runIfWaitingForDebugger");
      Promise.all([...begun, resumed]).catch(() => {});
    });
    parent.on("Target.detachedFromTarget", ({ sessionId }) => {
      for (const session of open) if (session.id() === sessionId) open.delete(session);
    });
    await parent.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter,
    });
  };
  const [own, browser] = await Promise.all([page.createCDPSession(), page.browser().target().createCDPSession()]);
  page.once("close", () => void browser.detach().catch(() => {}));
  open.add(own);
  await Promise.all([begin({ session: own, of: "page or frame" }), follow(own, ofPage), follow(browser, ofBrowser)]);
  return open;
}
