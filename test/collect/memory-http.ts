import type { HttpCall, HttpOutcome, Transport } from '../../src/collect/http-client.ts';
import { TransportFailure } from '../../src/collect/transport-failure.ts';

/** Transports by the host's name. */
export const answering: { current: ReadonlyMap<string, Transport> } = { current: new Map() };

/** Stands in for the HTTP client: every call goes to what answers at its host in memory. */
export class MemoryHttp implements Transport {
  readonly #hosts = answering.current;

  async send(call: HttpCall, signal: AbortSignal): Promise<HttpOutcome> {
    const host = this.#hosts.get(new URL(call.base).host);
    if (host !== undefined) return host.send(call, signal);
    const failure = new TransportFailure('refused', 'nothing answers here');
    return { result: { ok: false, failure }, headers: {}, bytes: 0, durationMs: 0 };
  }

  async close(): Promise<void> {}
}
