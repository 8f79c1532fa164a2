/** Pings that a client has to send: without one for too long it is hung up on, even while data flows. */
export class ClientPings {
  readonly #longestMs: number;
  #heardAt: number | undefined;

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  heard(now: number): void {
    this.#heardAt = now;
  }

  /** True if the client's connection is to be closed; its time begins with the first look. */
  isOver(now: number): boolean {
    this.#heardAt ??= now;
    return now - this.#heardAt > this.#longestMs;
  }
}

/** Pings that a venue sends: a client that leaves several in a row without an answer is hung up on. */
export class VenuePings {
  readonly #everyMs: number;
  readonly #misses: number;
  #sentAt: number | undefined;
  #unanswered = 0;

  /** @param misses pings that may be left without an answer, one after another */
  constructor(everyMs: number, misses: number) {
    this.#everyMs = everyMs;
    this.#misses = misses;
  }

  answered(): void {
    this.#unanswered = 0;
  }

  /** A ping is due, or the end. The first ping is due some time after the first look. */
  due(now: number): 'ping' | 'end' | undefined {
    this.#sentAt ??= now;
    if (now - this.#sentAt < this.#everyMs) return undefined;
    this.#sentAt = now;
    return this.#unanswered++ >= this.#misses ? 'end' : 'ping';
  }
}
