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

/** Frames name their contract within so many characters. */
const HEAD = 250;

/**
 * Stands between the service and a simulated venue's socket, hands everything on, to the relay too, and says when a frame of the followed
 * contract is handed to the service.
 */
export class BookProxy {
  readonly #server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  readonly #target: string;
  readonly #followed: RegExp;
  readonly #passed: (change: Passed) => void;
  readonly #relay: WebSocket;

  /**
   * @param target address that `/path` is appended to: `ws://host:port/okx`
   * @param relay address of the socket that is sent the same frames
   * @param followed what the beginning of the contract's frames matches
   */
  constructor(target: string, relay: string, followed: RegExp, passed: (change: Passed) => void) {
    this.#target = target;
    this.#relay = new WebSocket(relay, { perMessageDeflate: false });
    this.#followed = followed;
    this.#passed = passed;
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
    const early: string[] = [];
    client.on('message', (data) => {
      if (venue.readyState === WebSocket.OPEN) venue.send(data.toString());
      else early.push(data.toString());
    });
    venue.on('open', () => {
      for (const text of early) venue.send(text);
    });
    venue.on('message', (data) => this.#hand(client, data.toString()));
    for (const [one, other] of [
      [client, venue],
      [venue, client],
    ] as const) {
      one.on('close', () => other.terminate());
      one.on('error', () => other.terminate());
    }
  }

  #hand(client: WebSocket, text: string): void {
    const isFollowed = this.#followed.test(text.slice(0, HEAD));
    // Before it is sent: the service may have it, and stamp it, before this process goes on.
    const [at, mark] = [Date.now(), performance.now()];
    client.send(text);
    if (this.#relay.readyState === WebSocket.OPEN) this.#relay.send(text);
    if (isFollowed) this.#passed({ at, mark, text });
  }
}
