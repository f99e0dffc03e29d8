/** The properties by which requests are matched. */
export interface Asked {
  method: string;
  /** The URL's host name, path and query: "//www.example.com/list?page=2". */
  path: string;
  /** The SHA-256 of the request's body. */
  sent?: string | undefined;
}

interface Parts {
  place: string;
  query: string[];
}

function partsOf(path: string): Parts {
  const at = path.indexOf("?");
  if (at < 0) return { place: path, query: [] };
  return { place: path.slice(0, at), query: path.slice(at + 1).split("&") };
}

/** Requests by method, host name and path. A search compares only requests for which these three are the same. */
export class BestMatch<One extends Asked> {
  readonly #byPlace = new Map<string, { one: One; query: string[] }[]>();

  /** @param all the requests in the order in which they were recorded */
  constructor(all: readonly One[]) {
    for (const one of all) {
      const { place, query } = partsOf(one.path);
      const key = `${one.method} ${place}`;
      this.#byPlace.set(key, [...(this.#byPlace.get(key) ?? []), { one, query }]);
    }
  }

  /**
   * Finds the recorded request with the same method, host name and path whose query matches best. Of equal matches an equal body wins, then the
   * last request. So a page that redirected to itself until it had set a cookie gets its final response, and no load depends on earlier loads.
   */
  find({ method, path, sent }: Asked): One | undefined {
    const { place, query } = partsOf(path);
    const asked = new Set(query);
    let best: { one: One; rank: number } | undefined;
    for (const { one, query: own } of this.#byPlace.get(`${method} ${place}`) ?? []) {
      const common = own.filter((part) => asked.has(part)).length;
      const different = own.length + asked.size - 2 * common;
      const rank = common - different + (one.sent === sent ? 0.5 : 0);
      if (!best || rank >= best.rank) best = { one, rank };
    }
    return best?.one;
  }
}
