import type { IncomingMessage, ServerResponse } from 'node:http';
import { SECRET_HEADER } from '../../api/headers.ts';
import { beatOrCut, type EventSink, HEARTBEAT_MS, ServerSentEvents } from '../../api/http/event-sink.ts';
import type { EventStream } from '../../api/http/event-stream.ts';
import type { Failure } from '../../domain/errors.ts';
import type { Firing } from '../webhook/firing.ts';
import { firingRow, shownFiring } from './firing-row.ts';
import type { Watches } from './port.ts';
import { isToken } from './reading-token.ts';

interface Reader {
  readonly id: string;
  readonly address: string;
  readonly sink: EventSink;
  /** Set where a token reads: the stream ends with it. */
  readonly token: string | undefined;
  /** Number of the last firing that was written. */
  sent: number;
}

const MOST_READERS = 2000;
const MOST_OF_ADDRESS = 50;
const PAGE = 100;

/**
 * Firings of watches as server-sent events, each under its number: a reader that comes back with Last-Event-ID gets all that it
 * has missed, since they are stored. Nothing waits in memory for a reader: what it has not taken is read again from the store.
 */
export class WatchStream implements EventStream {
  readonly counts = { readers: 0, opened: 0, refused: 0 };
  readonly #watches: Watches;
  readonly #readers = new Map<string, Set<Reader>>();
  readonly #addresses = new Map<string, number>();
  #closed = false;
  #beatAt = 0;

  constructor(watches: Watches) {
    this.#watches = watches;
  }

  open(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    asked: Readonly<Record<string, unknown>>,
  ): Failure | undefined {
    const id = String(asked.id);
    const secret = request.headers[SECRET_HEADER.toLowerCase()]?.toString();
    const found = this.#watches.read(id, secret);
    const refusal = found.ok ? this.#refusal(address) : found.error;
    if (refusal !== undefined) {
      this.counts.refused += 1;
      return refusal;
    }
    const last = Number(request.headers['last-event-id'] ?? asked.after ?? 0);
    const sent = Number.isSafeInteger(last) && last >= 0 ? last : 0;
    const token = secret !== undefined && isToken(secret) ? secret : undefined;
    const reader: Reader = { id, address, sink: new ServerSentEvents(response), token, sent };
    this.#enter(reader);
    this.#catchUp(reader);
    return undefined;
  }

  /** A firing that is stored. */
  tell({ watchId }: Firing): void {
    for (const reader of this.#readers.get(watchId) ?? []) this.#catchUp(reader);
  }

  /**
   * Once a second: heartbeats, and what another process that holds the watches has stored.
   *
   * @param holds true where this process tells of firings itself
   */
  turn(holds: boolean): void {
    const now = performance.now();
    const isBeat = now - this.#beatAt >= HEARTBEAT_MS;
    if (isBeat) this.#beatAt = now;
    if (!isBeat && holds) return;
    for (const readers of this.#readers.values())
      for (const reader of readers) {
        if (!holds) this.#catchUp(reader);
        if (!isBeat) continue;
        const isEnded = reader.token !== undefined && !this.#watches.read(reader.id, reader.token).ok;
        if (isEnded) reader.sink.end('token ended');
        else beatOrCut(reader.sink, now);
      }
  }

  /** Tells every reader to come back, and takes no more. */
  close(): void {
    this.#closed = true;
    for (const readers of this.#readers.values())
      for (const { sink } of readers) {
        sink.send('closing', '{}');
        sink.end('shutdown');
      }
  }

  #refusal(address: string): Failure | undefined {
    if (this.#closed)
      return {
        code: 'shutting_down',
        detail: 'The service is restarting. The stream can be opened again in a moment.',
        retryAfterSeconds: 5,
      };
    if (this.counts.readers >= MOST_READERS)
      return {
        code: 'stream_full',
        detail: `All ${MOST_READERS} places of this stream are taken.`,
        retryAfterSeconds: 30,
      };
    if ((this.#addresses.get(address) ?? 0) < MOST_OF_ADDRESS) return undefined;
    const detail = `${MOST_OF_ADDRESS} streams are open from this address.`;
    return { code: 'rate_limited', detail, retryAfterSeconds: 30 };
  }

  #enter(reader: Reader): void {
    const { id, address, sink } = reader;
    const beside = this.#readers.get(id) ?? new Set();
    this.#readers.set(id, beside.add(reader));
    this.#addresses.set(address, (this.#addresses.get(address) ?? 0) + 1);
    this.counts.opened += 1;
    this.counts.readers += 1;
    sink.begin({ taken: () => this.#catchUp(reader), closed: () => this.#left(reader, beside) });
  }

  #left(reader: Reader, beside: Set<Reader>): void {
    const { id, address } = reader;
    beside.delete(reader);
    if (beside.size === 0) this.#readers.delete(id);
    const left = (this.#addresses.get(address) ?? 1) - 1;
    if (left === 0) this.#addresses.delete(address);
    else this.#addresses.set(address, left);
    this.counts.readers -= 1;
  }

  #catchUp(reader: Reader): void {
    while (reader.sink.waitsSince === undefined) {
      const page = this.#watches.firings(reader.id, reader.sent, PAGE);
      for (const firing of page) {
        reader.sent = firing.seq;
        const told = reader.token === undefined ? firing : shownFiring(firing);
        const { kind, seq } = told;
        if (!reader.sink.send(kind, JSON.stringify(firingRow(told)), String(seq))) return;
      }
      if (page.length < PAGE) return;
    }
  }
}
