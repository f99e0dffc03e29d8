import { startFile } from "../../sites/paths.ts";

/** Explains why a page that navigated to another one has no load time. @param to the other page; null if the browser does not report it */
export function replacedBy(from: string, to: string | null): string {
  if (to === null)
    return "after loading, the page was replaced by another (by a script, or a refresh in its HTML): load that page";
  const [here, there] = [new URL(from), new URL(to)];
  const own = here.origin === there.origin;
  if (own && here.pathname === there.pathname) return `after loading, ${nameOf(here)} loads itself again`;
  const next = own ? nameOf(there) : to;
  return `after loading, ${nameOf(here)} goes on to ${next} (by a script, or a refresh in its HTML): load that page`;
}

const nameOf = ({ pathname }: URL) => (pathname.endsWith("/") ? `${pathname}${startFile}` : pathname).slice(1);
