import type { ServerResponse } from 'node:http';
import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import { COMMON_HEADERS, UNCACHED_HEADERS } from '../headers.ts';

/** Readers of events are shown this often that their connection is there. */
export const HEARTBEAT_MS = 15 * SECOND_MS;
/** A reader that takes nothing for so long is cut off. */
export const STUCK_MS = MINUTE_MS;
/** A reader whose connection broke comes back after this long. */
const RETRY_MS = 2000;

/** Hears of a connection. */
export interface SinkListener {
  /** All that waited was taken. */
  readonly taken: () => void;
  readonly closed: () => void;
}

/**
 * A connection that takes events, by whatever protocol. Nothing is kept for its reader but what was sent and not taken: the sender
 * holds the next event back meanwhile, so that one event at most waits beyond what a connection takes at once.
 */
export interface EventSink {
  /** False once it is ended, by whichever side, though the connection may not be closed yet. */
  readonly isOpen: boolean;
  /** Since when its reader has not taken what waits, of `performance.now()`; undefined while nothing does. */
  readonly waitsSince: number | undefined;
  /** Bytes that wait to be taken. */
  readonly waiting: number;
  /** Takes the request: from now on it is answered by events. */
  begin(listener: SinkListener): void;
  /** Sends an event, its data as JSON; false where the next has to wait. After the end it does nothing. */
  send(event: string, data: string, id?: string): boolean;
  /** Shows that the connection is there. */
  beat(): void;
  /** Ends it behind what was sent; the protocol may have a place for the reason. */
  end(reason: string): void;
  /** Breaks it off, whatever waits. */
  destroy(): void;
}

/** Cuts off a reader that is stuck, and shows another one that takes its events that the connection is there. */
export function beatOrCut(sink: EventSink, now: number, stuckMs = STUCK_MS): void {
  const { waitsSince } = sink;
  if (waitsSince === undefined) sink.beat();
  else if (now - waitsSince > stuckMs) sink.destroy();
}

const HEADERS = [
  ...COMMON_HEADERS,
  ...['Content-Type', 'text/event-stream; charset=utf-8'],
  ...UNCACHED_HEADERS,
  // A proxy that collects answers would hold the events back.
  ...['X-Accel-Buffering', 'no'],
];

/** An event as its bytes are in the stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export const eventText = (event: string, data: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;

/** Server-sent events on the response of a request. */
export class ServerSentEvents implements EventSink {
  readonly #response: ServerResponse;
  #waitsSince: number | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  get waitsSince(): number | undefined {
    return this.#waitsSince;
  }

  get waiting(): number {
    return this.#response.writableLength;
  }

  begin({ taken, closed }: SinkListener): void {
    this.#response.writeHead(200, [...HEADERS]);
    this.#response.on('close', closed);
    this.#response.on('drain', () => {
      if (this.#waitsSince === undefined) return;
      this.#waitsSince = undefined;
      taken();
    });
    this.#response.write(`retry: ${RETRY_MS}\n\n`);
  }

  send(event: string, data: string, id?: string): boolean {
    return this.write(eventText(event, data, id));
  }

  /** Sends events that many readers get, as they were written once for all of them. */
  write(events: string | Buffer): boolean {
    if (this.#response.writableEnded) return false;
    const isTaken = this.#response.write(events);
    if (!isTaken) this.#waitsSince ??= performance.now();
    return isTaken;
  }

  beat(): void {
    this.#response.write(': heartbeat\n\n');
  }

  end(): void {
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }
}
