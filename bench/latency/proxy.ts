import { performance } from 'node:perf_hooks';
import { WebSocket, WebSocketServer } from 'ws';

/** A change of the followed book on its way to the service. */
export interface Passed {
  /** Wall clock, ms: quotes of the service that are stamped at or after it contain the change. */
  readonly at: number;
  /** Monotonic, ms. */
  readonly mark: number;
  readonly text: string;
}

/** A follower of a contract. */
export interface Watch {
  /** True if a frame with this beginning is of the contract. */
  isFollowed(head: string): boolean;
  passed(change: Passed): void;
}

/** Frames name their contract within so many characters. */
const HEAD = 250;

/**
 * Stands between the service and a simulated venue's socket, hands everything on, to the relay too, and says when a
 * frame of the followed contract is handed to the service.
 */
export class BookProxy {
  readonly #server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  readonly #target: string;
  readonly #watch: Watch | undefined;
  readonly #relay: WebSocket;

  /**
   * @param target address that `/path` is appended to: `ws://host:port/okx`
   * @param relay address of the socket that is sent the same frames
   */
  constructor(target: string, relay: string, watch?: Watch) {
    this.#target = target;
    this.#relay = new WebSocket(relay, { perMessageDeflate: false });
    this.#watch = watch;
    this.#server.on('connection', (client, request) => this.#join(client, request.url ?? '/'));
  }

  /** Address in place of the target. */
  async address(): Promise<string> {
    if (this.#server.address() === null) await new Promise((done) => this.#server.once('listening', done));
    const address = this.#server.address();
    return `ws://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  close(): void {
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
    this.#relay.terminate();
  }

  #join(client: WebSocket, path: string): void {
    const venue = new WebSocket(this.#target + path, { perMessageDeflate: false });
    const early: [Buffer, boolean][] = [];
    client.on('message', (data: Buffer, binary) => {
      if (venue.readyState === WebSocket.OPEN) venue.send(data, { binary });
      else early.push([data, binary]);
    });
    venue.on('open', () => {
      for (const [data, binary] of early) venue.send(data, { binary });
    });
    venue.on('message', (data: Buffer, binary) => this.#hand(client, data, binary));
    client.on('ping', () => venue.readyState === WebSocket.OPEN && venue.ping());
    for (const [one, other] of [
      [client, venue],
      [venue, client],
    ] as const) {
      one.on('close', () => other.terminate());
      one.on('error', () => other.terminate());
    }
  }

  #hand(client: WebSocket, data: Buffer, binary: boolean): void {
    const isFollowed = this.#watch?.isFollowed(data.toString('latin1', 0, HEAD)) ?? false;
    // Before it is sent: the service may have it, and stamp it, before this process goes on.
    const at = Date.now();
    const mark = performance.now();
    client.send(data, { binary });
    if (this.#relay.readyState === WebSocket.OPEN) this.#relay.send(data, { binary });
    if (isFollowed) this.#watch?.passed({ at, mark, text: data.toString() });
  }
}
