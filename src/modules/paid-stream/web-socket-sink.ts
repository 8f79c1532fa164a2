import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { type EventSink, type SinkListener, STUCK_MS } from '../../api/http/event-sink.ts';
import { closeCodeOf, ENDS } from './close-codes.ts';
import type { ClosingReason } from './reader.ts';

/** An event as a message: its data is JSON already. */
export const messageText = (event: string, data: string, id?: string): string =>
  `{${id === undefined ? '' : `"id":"${id}",`}"event":"${event}","data":${data}}`;

const HEARTBEAT = '{"event":"heartbeat"}';

/** Events as text messages of a WebSocket. Its reader sends nothing but answers to pings. */
export class WebSocketSink implements EventSink {
  readonly #socket: WebSocket;
  /** Beneath the socket: it alone says when all that waits was taken. */
  readonly #connection: Duplex;
  #waitsSince: number | undefined;
  #answeredAt = performance.now();

  constructor(socket: WebSocket, connection: Duplex) {
    this.#socket = socket;
    this.#connection = connection;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get waitsSince(): number | undefined {
    return this.#waitsSince;
  }

  get waiting(): number {
    return this.#connection.writableLength;
  }

  begin({ taken, closed }: SinkListener): void {
    this.#connection.on('drain', () => {
      if (this.#waitsSince === undefined) return;
      this.#waitsSince = undefined;
      taken();
    });
    this.#socket
      .on('close', closed)
      // The socket closes by itself with the code of the fault, as 1009 for a message that is too long.
      .on('error', () => {})
      .on('message', () => this.#socket.close(closeCodeOf('malformed_request'), 'malformed_request'))
      .on('pong', () => {
        this.#answeredAt = performance.now();
      })
      // Answers to pings must not pile up for a reader that takes none of them.
      .on('ping', (data) => {
        if (this.isOpen && !this.#connection.writableNeedDrain) this.#socket.pong(data);
      });
  }

  send(event: string, data: string, id?: string): boolean {
    if (!this.isOpen) return false;
    this.#socket.send(messageText(event, data, id));
    const isTaken = !this.#connection.writableNeedDrain;
    if (!isTaken) this.#waitsSince ??= performance.now();
    return isTaken;
  }

  /** By a ping for networks and libraries, and by a message for browsers, whose pages see no pings. */
  beat(): void {
    if (performance.now() - this.#answeredAt > STUCK_MS) this.destroy();
    if (!this.isOpen) return;
    this.#socket.ping();
    this.#socket.send(HEARTBEAT);
  }

  end(reason: ClosingReason): void {
    this.#socket.close(ENDS[reason], reason);
  }

  destroy(): void {
    this.#socket.terminate();
  }
}
