import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A network between a host and its store that can fail. `open`: passes everything; `cut`: breaks what is open and takes
 * nothing new; `silent`: takes everything and passes nothing; `deaf`: what is asked arrives, and the answer does not;
 * `slow`: everything arrives late.
 */
export type RelayMode = 'open' | 'cut' | 'silent' | 'deaf' | 'slow';

/** Each way. */
const SLOW_MS = 250;

export class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #mode: RelayMode = 'open';
  #to: number;

  private constructor(port: number) {
    this.#to = port;
    this.#server = createServer((host) => this.#take(host));
  }

  /** @param port where the store listens on loopback */
  static async start(port: number): Promise<Relay> {
    const relay = new Relay(port);
    await new Promise<void>((resolve) => relay.#server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** True while a client is connected through it. */
  get isUsed(): boolean {
    return this.#sockets.size > 0;
  }

  /** Connections that live through it carry on as the new mode says; those of a cut are gone. */
  set(mode: RelayMode): void {
    this.#mode = mode;
    if (mode === 'cut') for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends what is open, and leads elsewhere from now on. */
  lead(port: number): void {
    this.#to = port;
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.set('cut');
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #take(host: Socket): void {
    if (this.#mode === 'cut') return void host.destroy();
    const store = connect(this.#to, '127.0.0.1');
    for (const [from, to] of [
      [host, store],
      [store, host],
    ] as const) {
      this.#sockets.add(from);
      let waiting = 0;
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => {
        const isLost = this.#mode === 'silent' || (this.#mode === 'deaf' && from === store);
        if (isLost) return;
        if (this.#mode !== 'slow' && waiting === 0) return void to.write(bytes);
        // Timers of one length fire in the order in which they were set.
        waiting += 1;
        setTimeout(() => {
          waiting -= 1;
          to.write(bytes);
        }, SLOW_MS);
      });
    }
  }
}
