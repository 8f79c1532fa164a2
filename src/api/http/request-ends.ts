import type { ServerResponse } from 'node:http';

/**
 * Tells what waits for something that its request has ended: the client is gone, or the service stops. A request that is over
 * leaves nothing here; `AbortSignal.any` would, as Node.js 20 keeps what it makes of a signal for as long as that lives.
 */
export class RequestEnds {
  #isStopped = false;
  readonly #open = new Set<AbortController>();

  /** Requests that have not ended. */
  get open(): number {
    return this.#open.size;
  }

  /** Ends the waits of all requests, now and from now on. */
  stop(): void {
    this.#isStopped = true;
    for (const request of this.#open) this.#end(request);
  }

  /** Aborts when the connection closes before the response was sent, or the service stops. */
  ofResponse(response: ServerResponse): AbortSignal {
    const request = this.#begin(response.closed);
    response.once('close', () => this.#end(request));
    return request.signal;
  }

  /**
   * Does the work of a call inside the process with a signal that aborts with the call's own, where it has one, or when the
   * service stops.
   */
  async duringCall<T>(own: AbortSignal | undefined, work: (ends: AbortSignal) => Promise<T>): Promise<T> {
    const request = this.#begin(own?.aborted === true);
    const end = (): void => this.#end(request);
    own?.addEventListener('abort', end, { once: true });
    try {
      return await work(request.signal);
    } finally {
      own?.removeEventListener('abort', end);
      this.#open.delete(request);
    }
  }

  #begin(isOver: boolean): AbortController {
    const request = new AbortController();
    if (isOver || this.#isStopped) request.abort();
    else this.#open.add(request);
    return request;
  }

  #end(request: AbortController): void {
    this.#open.delete(request);
    request.abort();
  }
}
