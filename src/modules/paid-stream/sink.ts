import type { ServerResponse } from 'node:http';
import { COMMON_HEADERS, UNCACHED_HEADERS } from '../../api/headers.ts';

/** A connection that takes events. */
export interface Sink {
  /** Takes the request: from now on it is answered by events. */
  begin(): void;
  /** Writes one event; false where the reader has to take what waits before the next. */
  send(id: string, event: string, data: string): boolean;
  /** Shows that the connection is there. */
  beat(): void;
  /** Bytes that wait to be taken. */
  readonly waiting: number;
  end(): void;
  destroy(): void;
}

const RETRY_MS = 2000;
const HEADERS = [
  ...COMMON_HEADERS,
  ...['Content-Type', 'text/event-stream; charset=utf-8'],
  ...UNCACHED_HEADERS,
  // A proxy that collects answers would hold the events back.
  ...['X-Accel-Buffering', 'no'],
];

/** Server-sent events on the response of a request. */
export class EventSink implements Sink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  begin(): void {
    this.#response.writeHead(200, [...HEADERS]);
    this.#response.write(`retry: ${RETRY_MS}\n\n`);
  }

  send(id: string, event: string, data: string): boolean {
    return this.#response.write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`);
  }

  beat(): void {
    this.#response.write(': heartbeat\n\n');
  }

  get waiting(): number {
    return this.#response.writableLength;
  }

  end(): void {
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }
}
