import type { ServerResponse } from 'node:http';

/** Tells what waits for something that its request has ended: the client is gone, or the service stops. */
export class RequestEnds {
  readonly #stopping = new AbortController();
  /** Of responses that are not sent yet: Node.js 20 keeps what `AbortSignal.any` makes of a signal for as long as that lives. */
  readonly #open = new Set<AbortController>();

  /** Ends the waits of all requests, now and from now on. */
  stop(): void {
    this.#stopping.abort();
    for (const ends of this.#open) ends.abort();
  }

  /** Aborts when the connection closes before the response was sent, or the service stops. */
  ofResponse(response: ServerResponse): AbortSignal {
    const ends = new AbortController();
    if (response.closed || this.#stopping.signal.aborted) {
      ends.abort();
      return ends.signal;
    }
    this.#open.add(ends);
    response.once('close', () => {
      this.#open.delete(ends);
      ends.abort();
    });
    return ends.signal;
  }

  /** Aborts with the signal of a call inside the process, where it has one, or when the service stops. */
  ofCall(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#stopping.signal : AbortSignal.any([signal, this.#stopping.signal]);
  }
}
