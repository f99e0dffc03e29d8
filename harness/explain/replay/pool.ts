/** A host's connections over HTTP/1.1: each request goes over the first that is free, in the order in which the browser had them go. */

export class Pool<Connection, Request> {
  readonly #free: Connection[] = [];
  readonly #waiting: Request[] = [];
  readonly #rank: (request: Request) => number;
  readonly #own: (request: Request) => Connection;
  readonly #take: (request: Request, connection: Connection) => void;

  /** @param rank those of lower rank go first @param own which of several free ones it takes */
  constructor(
    rank: (request: Request) => number,
    own: (request: Request) => Connection,
    take: (request: Request, connection: Connection) => void,
  ) {
    this.#rank = rank;
    this.#own = own;
    this.#take = take;
  }

  asks(request: Request): void {
    this.#waiting.push(request);
    this.#waiting.sort((a, b) => this.#rank(a) - this.#rank(b));
    this.#assign();
  }

  frees(connection: Connection): void {
    this.#free.push(connection);
    this.#assign();
  }

  #assign(): void {
    while (this.#free.length > 0 && this.#waiting.length > 0) {
      const request = this.#waiting.shift()!;
      const place = Math.max(0, this.#free.indexOf(this.#own(request)));
      this.#take(request, this.#free.splice(place, 1)[0]!);
    }
  }
}
