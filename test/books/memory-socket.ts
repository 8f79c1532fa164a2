import { EventEmitter } from 'node:events';
import type { LinkClient, LinkOptions } from '@perpmeter/sim/books/link';
import { Link } from '@perpmeter/sim/books/link';

type Dialled = Omit<LinkOptions, 'path'>;

/** Sockets that were dialled, in order of time: what happens on them waits here until it is pumped. */
export class MemoryNet {
  readonly sockets = new Set<MemorySocket>();
  /** The peer at an address, with the path there; undefined refuses. */
  at: (url: URL) => (Dialled & { readonly path: string }) | undefined = () => undefined;
  readonly #queue: (() => void)[] = [];

  later(run: () => void): void {
    this.#queue.push(run);
  }

  /** Gives every session the time. */
  tick(): void {
    for (const socket of [...this.sockets]) socket.link?.tick();
  }

  /** Delivers all that is under way. Returns whether there was anything. */
  pump(): boolean {
    const had = this.#queue.length > 0;
    for (let run = this.#queue.shift(); run !== undefined; run = this.#queue.shift()) run();
    return had;
  }
}

/** The net that new sockets are on. */
export const net: { current: MemoryNet } = { current: new MemoryNet() };

/** Stands in for the WebSocket client: speaks with a simulated session in memory. */
export class MemorySocket extends EventEmitter {
  static readonly OPEN = 1;
  readyState = 0;
  link: Link | undefined;
  readonly #net = net.current;

  constructor(address: string) {
    super();
    this.#net.later(() => this.#open(new URL(address)));
  }

  send(text: string): void {
    this.#net.later(() => this.link?.message(text));
  }

  ping(): void {}

  /** Messages that were read already still come, and all of them were. */
  pause(): void {}

  resume(): void {}

  terminate(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.link = undefined;
    this.#net.sockets.delete(this);
    this.#net.later(() => this.emit('close', 1006));
  }

  #open(url: URL): void {
    const found = this.#net.at(url);
    if (this.readyState === 3) return;
    if (found === undefined) {
      this.terminate();
      return;
    }
    this.readyState = MemorySocket.OPEN;
    this.#net.sockets.add(this);
    this.emit('open');
    this.link = new Link(found, this.#client());
  }

  #client(): LinkClient {
    const end = (): void => this.#net.later(() => this.terminate());
    return {
      send: (frame) => {
        const data = typeof frame === 'string' ? Buffer.from(frame) : frame;
        this.#net.later(() => this.emit('message', data, typeof frame !== 'string'));
      },
      // The fate of the message is never known.
      cut: end,
      close: end,
      terminate: end,
    };
  }
}
