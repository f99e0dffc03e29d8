import { startFile } from "../../sites/paths.ts";

/**
 * Explains why there is no load time for a page that navigated to another one.
 * @param to the page that replaced it; null if the browser does not report it
 */
export function replacedBy(from: string, to: string | null): string {
  if (to === null)
    return "after loading, the page was replaced by another (by a script, or a refresh in its HTML): load that page";
  const [here, there] = [new URL(from), new URL(to)];
  const own = here.origin === there.origin;
  if (own && here.pathname === there.pathname) return `after loading, ${nameOf(here)} loads itself again`;
  const next = own ? nameOf(there) : to;
  return `after loading, ${nameOf(here)} goes on to ${next} (by a script, or a refresh in its HTML): load that page`;
}

/** The URL's path, relative to the page's folder. */
const nameOf = ({ pathname }: URL) => (pathname.endsWith("/") ? `${pathname}${startFile}` : pathname).slice(1);
