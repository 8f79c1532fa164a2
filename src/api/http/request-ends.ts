import type { ServerResponse } from 'node:http';

/** Tells what waits for something that its request has ended: the client is gone, or the service stops. */
export class RequestEnds {
  readonly #stopping = new AbortController();

  /** Ends the waits of all requests, now and from now on. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Aborts when the connection closes before the response was sent, or the service stops. */
  ofResponse(response: ServerResponse): AbortSignal {
    const closed = new AbortController();
    if (response.closed) closed.abort();
    else response.once('close', () => closed.abort());
    return AbortSignal.any([closed.signal, this.#stopping.signal]);
  }

  /** Aborts with the signal of a call inside the process, where it has one, or when the service stops. */
  ofCall(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#stopping.signal : AbortSignal.any([signal, this.#stopping.signal]);
  }
}
