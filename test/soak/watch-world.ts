import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Random } from './random.ts';

/** A receiver's manner: all but `lie` and `forbidden` are to have every firing in the end. */
export const MANNERS = ['good', 'fail', 'hang', 'close', 'redirect', 'flood', 'lie', 'forbidden'] as const;
export type Manner = (typeof MANNERS)[number];

/** Share of requests that a receiver of a bad manner treats badly. */
const BAD_SHARE = 0.4;

/** A firing as a receiver took it. */
export interface Taken {
  readonly watchId: string;
  readonly sequence: number;
  readonly id: string;
}

interface Body {
  readonly event?: string;
  readonly watch_id: string;
  readonly challenge?: string;
  readonly sequence?: number;
}

/** Receivers on loopback, one of each manner, which Linux has addresses for; and a trap, which nobody may ever reach. */
export class Receivers {
  readonly taken: Taken[] = [];
  /** Firings that a receiver got without having passed its challenge. */
  unproven = 0;
  requests = 0;
  /** Connections to the trap: redirects that were followed, names that lead inside. */
  trapped = 0;
  readonly #random: Random;
  readonly #servers: Server[] = [];
  #trapUrl = '';

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** Addresses by manner, each of a host of its own. That of `forbidden` is a public name that leads to the trap. */
  async open(): Promise<Readonly<Record<Manner, string>>> {
    const trap = await this.#listen('127.0.0.1', () => {});
    trap.on('connection', (socket) => {
      this.trapped += 1;
      socket.destroy();
    });
    this.#trapUrl = `http://127.0.0.1:${portOf(trap)}/`;
    const addresses = new Map<string, string>([['forbidden', 'https://hooks.example.com/']]);
    for (const [at, manner] of MANNERS.entries()) {
      if (manner === 'forbidden') continue;
      const host = `127.0.0.${at + 2}`;
      const server = await this.#listen(host, (request, reply) => void this.#take(manner, request, reply));
      addresses.set(manner, `http://${host}:${portOf(server)}/`);
    }
    return Object.fromEntries(addresses) as Record<Manner, string>;
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  async #listen(
    host: string,
    taken: (request: IncomingMessage, reply: ServerResponse) => void,
  ): Promise<Server> {
    const server = createServer(taken);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return server;
  }

  async #take(manner: Manner, request: IncomingMessage, reply: ServerResponse): Promise<void> {
    this.requests += 1;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // The sender was killed as it sent: nothing was taken.
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
    if (body.event === 'challenge') this.#prove(manner, body, reply);
    else if (this.#random.chance(BAD_SHARE) && this.#isBad(manner, reply)) return;
    else this.#accept(manner, body, request, reply);
  }

  #prove(manner: Manner, { challenge }: Body, reply: ServerResponse): void {
    reply.end(JSON.stringify({ challenge: manner === 'lie' ? 'another' : challenge }));
  }

  #accept(manner: Manner, body: Body, { headers }: IncomingMessage, reply: ServerResponse): void {
    const { watch_id: watchId, sequence = 0 } = body;
    if (manner === 'lie') this.unproven += 1;
    this.taken.push({ watchId, sequence, id: String(headers['perpmeter-delivery']) });
    reply.end();
  }

  /** Treats a request badly; false where the manner is good. */
  #isBad(manner: Manner, reply: ServerResponse): boolean {
    if (manner === 'fail') reply.writeHead(503, { 'retry-after': '7' }).end();
    else if (manner === 'close') reply.destroy();
    else if (manner === 'redirect') reply.writeHead(307, { location: this.#trapUrl }).end();
    else if (manner === 'flood') for (let count = 0; count < 100; count++) reply.writeProcessing();
    else return manner === 'hang';
    return true;
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
