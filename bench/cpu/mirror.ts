import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

/** An answer as the service received it. */
interface Passed {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** The amount of traffic. */
interface Count {
  readonly messages: number;
  readonly bytes: number;
}

/**
 * Gives the bare receiver what the service receives, at the same moment and in the same form: each request to `/next`
 * is answered with the next answer that passes, and the socket `/<n>` carries the frames of the service's n-th.
 */
export class Mirror {
  readonly #server = createServer((_asked, answer) => this.#ask(answer));
  readonly #upgrades = new WebSocketServer({ server: this.#server, perMessageDeflate: true });
  readonly #sockets: WebSocket[] = [];
  readonly #asked: ServerResponse[] = [];
  readonly #passed: Passed[] = [];
  #messages = 0;
  #bytes = 0;

  constructor() {
    this.#upgrades.on('connection', (socket, { url = '/0' }) => {
      this.#sockets[Number(url.slice(1))] = socket;
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  close(): void {
    for (const client of this.#upgrades.clients) client.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** All that passed by now. */
  get count(): Count {
    return { messages: this.#messages, bytes: this.#bytes };
  }

  /** Sockets that the bare receiver has opened. */
  get sockets(): number {
    return this.#upgrades.clients.size;
  }

  /** @param index which of the service's sockets; those opened later share what the bare receiver has */
  frame(index: number, data: Buffer, binary: boolean): void {
    if (this.#sockets.length === 0) return;
    this.#sockets[index % this.#sockets.length]?.send(data, { binary });
    this.#note(data);
  }

  answer(passed: Passed): void {
    if (this.#sockets.length === 0) return;
    this.#passed.push(passed);
    this.#note(passed.bytes);
    this.#give();
  }

  #note(bytes: Buffer): void {
    this.#messages += 1;
    this.#bytes += bytes.length;
  }

  #ask(answer: ServerResponse): void {
    this.#asked.push(answer);
    this.#give();
  }

  #give(): void {
    while (this.#asked.length > 0 && this.#passed.length > 0) {
      const answer = this.#asked.shift();
      const passed = this.#passed.shift();
      if (passed !== undefined) answer?.writeHead(passed.status, passed.headers).end(passed.bytes);
    }
  }
}
