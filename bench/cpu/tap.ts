import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import type { Mirror } from './mirror.ts';

/** Stands between the service and the simulated venues, hands everything on, and to the mirror what the service receives. */
export class Tap {
  readonly #target: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((asked, answer) => this.#exchange(asked, answer));
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  readonly #mirror: Mirror;
  /** Of each socket that the service has opened, whether it takes compressed frames. */
  readonly packed: boolean[] = [];

  /** @param target address of the simulated venues, `http://host:port` */
  constructor(target: string, mirror: Mirror) {
    this.#target = target;
    this.#mirror = mirror;
    this.#server.on('upgrade', (asked, socket, head) => {
      this.#sockets.handleUpgrade(asked, socket, head, (client) => this.#join(client, asked));
    });
  }

  /** Address in place of the target. */
  async open(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  close(): void {
    for (const client of this.#sockets.clients) client.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  #exchange(asked: IncomingMessage, answer: ServerResponse): void {
    const { method = 'GET', headers, url = '/' } = asked;
    const { host: _, ...others } = headers;
    const forward = request(this.#target + url, { method, headers: others, agent: this.#agent });
    forward.on('error', () => answer.destroy());
    forward.on('response', (got) => {
      const chunks: Buffer[] = [];
      got.on('data', (chunk: Buffer) => chunks.push(chunk));
      got.on('error', () => answer.destroy());
      got.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 502, headers: own } = got;
        answer.writeHead(status, own).end(bytes);
        this.#mirror.answer({ status, headers: own, bytes });
      });
    });
    asked.pipe(forward);
  }

  #join(client: WebSocket, asked: IncomingMessage): void {
    const packs = asked.headers['sec-websocket-extensions']?.includes('permessage-deflate') ?? false;
    const index = this.packed.push(packs) - 1;
    const address = this.#target.replace('http', 'ws') + (asked.url ?? '/');
    const venue = new WebSocket(address, { perMessageDeflate: packs });
    const early: [Buffer, boolean][] = [];
    client.on('message', (data: Buffer, binary) => {
      if (venue.readyState === WebSocket.OPEN) venue.send(data, { binary });
      else early.push([data, binary]);
    });
    venue.on('open', () => {
      for (const [data, binary] of early) venue.send(data, { binary });
    });
    venue.on('message', (data: Buffer, binary) => {
      client.send(data, { binary });
      this.#mirror.frame(index, data, binary);
    });
    client.on('ping', () => venue.readyState === WebSocket.OPEN && venue.ping());
    client.on('close', () => venue.terminate());
    venue.on('close', () => client.terminate());
    for (const one of [client, venue]) one.on('error', () => one.terminate());
  }
}
