import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../../src/domain/clock.ts';
import { Link, type LinkClient } from './books/link.ts';
import { type ActiveFault, type Faults, retryAfterText } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import type { SimVenue } from './venue.ts';
import type { World } from './world.ts';

/** An upgrade request, already taken apart. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly venue: SimVenue;
  /** Path with query behind the venue's prefix. */
  readonly path: string;
}

/** Accepts WebSocket clients for the venues and drives their sessions. */
export class Streams {
  readonly #plain = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #packing = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  readonly #open = new Map<WebSocket, Link>();
  /** Upgrades that are not answered (yet). */
  readonly #waiting = new Set<Duplex>();
  #isInRound = false;
  readonly #world: World;
  readonly #clock: Clock;
  readonly #faults: Faults;
  readonly #log: RequestLog;

  constructor(world: World, clock: Clock, faults: Faults, log: RequestLog) {
    this.#world = world;
    this.#clock = clock;
    this.#faults = faults;
    this.#log = log;
  }

  /** Open connections of a venue. */
  connections(venue: string): number {
    return [...this.#open.values()].filter((link) => link.venue === venue).length;
  }

  /** Those of them whose client has said something: what it asked for is known. */
  asking(venue: string): number {
    return [...this.#open.values()].filter((link) => link.venue === venue && link.hasAsked).length;
  }

  upgrade(upgrade: Upgrade): void {
    const { venue, path } = upgrade;
    const active = this.#faults.hit({ venue: venue.id, path, body: '', on: 'stream' });
    const fault = active?.fault;
    const refused = this.#refuse(upgrade, active);
    this.#log.add({
      at: this.#clock.now(),
      venue: venue.id,
      method: 'WS',
      path,
      body: '',
      status: refused ?? 101,
      weight: 0,
      ...(fault === undefined ? {} : { fault: fault.kind }),
    });
    if (refused !== undefined) return;
    if (active?.fault.kind === 'delay') this.#later(upgrade, active.fault.ms, active.signal);
    else this.#accept(upgrade);
  }

  /** Accepts after a while, or at once when the rule is cancelled. */
  #later(upgrade: Upgrade, ms: number, signal: AbortSignal): void {
    const { socket } = upgrade;
    this.#wait(socket);
    const accept = () => {
      clearTimeout(timer);
      if (this.#waiting.delete(socket) && !socket.destroyed) this.#accept(upgrade);
    };
    const timer = setTimeout(accept, ms);
    signal.addEventListener('abort', accept, { once: true });
  }

  #wait(socket: Duplex): void {
    this.#waiting.add(socket);
    socket.once('close', () => this.#waiting.delete(socket));
  }

  /** Gives every session the time, at once. */
  tick(): void {
    for (const link of [...this.#open.values()]) link.tick();
  }

  /**
   * Gives every session the time, one after another and evenly over `spreadMs`: venues do not speak in unison, and
   * requests are answered in between. While a round goes on no other begins.
   */
  async round(spreadMs: number): Promise<void> {
    if (this.#isInRound) return;
    this.#isInRound = true;
    try {
      const began = performance.now();
      const sessions = [...this.#open];
      for (const [i, [client, link]] of sessions.entries()) {
        if (this.#open.has(client)) link.tick();
        await until(began + (spreadMs * (i + 1)) / sessions.length);
      }
    } finally {
      this.#isInRound = false;
    }
  }

  close(): void {
    for (const client of this.#open.keys()) client.terminate();
    for (const socket of this.#waiting) socket.destroy();
    this.#open.clear();
    this.#plain.close();
    this.#packing.close();
  }

  /** The status when the upgrade is not accepted (0 = no answer), undefined when it is. */
  #refuse({ request, socket, venue }: Upgrade, active: ActiveFault | undefined): number | undefined {
    const offered = request.headers['sec-websocket-extensions'] ?? '';
    const refusal =
      venue.socket === undefined
        ? { status: 404, text: 'Not Found' }
        : venue.socketNeedsDeflate && !offered.includes('permessage-deflate')
          ? { status: 403, text: 'Forbidden' }
          : undefined;
    if (refusal !== undefined) {
      const { status, text } = refusal;
      socket.end(`HTTP/1.1 ${status} ${text}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return status;
    }
    const fault = active?.fault;
    switch (fault?.kind) {
      case 'hang':
        this.#wait(socket);
        active?.signal.addEventListener('abort', () => socket.destroy(), { once: true });
        return 0;
      case 'reset':
        socket.destroy();
        return 0;
      case 'status': {
        const after = fault.retryAfter;
        const header =
          after === undefined ? '' : `retry-after: ${retryAfterText(after, this.#clock.now())}\r\n`;
        socket.end(
          `HTTP/1.1 ${fault.status} Refused\r\n${header}connection: close\r\ncontent-length: 0\r\n\r\n`,
        );
        return fault.status;
      }
      default:
        return undefined;
    }
  }

  #accept({ request, socket, head, venue, path }: Upgrade): void {
    const server = venue.socketNeedsDeflate ? this.#packing : this.#plain;
    server.handleUpgrade(request, socket, head, (client) => {
      if (venue.socket === undefined) return client.close(1011);
      client.on('close', () => this.#open.delete(client));
      client.on('error', () => client.terminate());
      const options = { venue, path, world: this.#world, clock: this.#clock, faults: this.#faults };
      const link = new Link(options, clientOf(client));
      this.#open.set(client, link);
      client.on('message', (data) => link.message(data.toString()));
    });
  }
}

/** Resolves at a moment of the monotonic clock, or with the next turn of the event loop. Keeps no process alive. */
function until(moment: number): Promise<void> {
  const left = moment - performance.now();
  return new Promise((next) => {
    if (left >= 1) setTimeout(next, left).unref();
    else setImmediate(next);
  });
}

function clientOf(client: WebSocket): LinkClient {
  const isOpen = (): boolean => client.readyState === client.OPEN;
  return {
    send: (frame) => {
      if (isOpen()) client.send(frame);
    },
    cut: (frame) => {
      if (!isOpen()) return;
      // A message that is not the last part of itself: the rest never comes.
      client.send(frame.slice(0, Math.floor(frame.length / 2)), { fin: false }, () => client.terminate());
    },
    close: (code, reason) => client.close(code, reason),
    terminate: () => client.terminate(),
  };
}
