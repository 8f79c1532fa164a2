import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** Says of NATS what a client has to hear to be connected, or to be refused; no message goes through it. */
export class BareNatsServer {
  /** True while it refuses the account of every client. */
  isRefusing = false;
  refusals = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(maxPayload: number) {
    this.#server = createServer((socket) => this.#greet(socket, maxPayload));
  }

  /** @param maxPayload bytes of a message that it takes */
  static async start(maxPayload = 1_048_576): Promise<BareNatsServer> {
    const made = new BareNatsServer(maxPayload);
    made.#server.listen(0, '127.0.0.1');
    await once(made.#server, 'listening');
    return made;
  }

  get url(): string {
    return `nats://one:word@127.0.0.1:${this.#port}`;
  }

  /** Ends all connections. */
  disconnect(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.disconnect();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #greet(socket: Socket, maxPayload: number): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
    const own = { server_id: 'bare', version: '2.10.0', proto: 1, host: '127.0.0.1', port: this.#port };
    const info = { ...own, headers: true, max_payload: maxPayload, auth_required: true };
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    let text = '';
    socket.on('data', (data) => {
      const lines = (text + data.toString()).split('\r\n');
      text = lines.pop() ?? '';
      // The first comes right after the account, and is what a client knows the answer by.
      for (const line of lines) if (line === 'PING') this.#answer(socket);
    });
  }

  #answer(socket: Socket): void {
    if (!this.isRefusing) {
      socket.write('PONG\r\n');
      return;
    }
    this.refusals += 1;
    socket.end("-ERR 'Authorization Violation'\r\n");
  }
}
