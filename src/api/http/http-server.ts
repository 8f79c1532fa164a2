import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { KEEP_ALIVE_MS } from '../encoded-response.ts';
import { answerBrokenRequest, MAX_HEADER_BYTES } from './broken-request.ts';
import { sendProblem } from './reply.ts';
import type { RequestTally } from './request-tally.ts';

const OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  keepAliveTimeout: KEEP_ALIVE_MS,
  headersTimeout: 20_000,
  requestTimeout: 30_000,
  // Requests without a body get no stream that is read to its end. Node.js before 24.12 does not know it, and ignores it.
  optimizeEmptyRequests: true,
} as const;
const SWEEP_MS = 50;
/** No path that ends here takes a body: a longer one is not read to its end, and its connection is closed. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Takes a request; false where it has no such path. Never throws. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Node's server with the limits of this service, a 404 for what nobody takes, and an orderly end. */
export class HttpServer {
  readonly #handle: RequestHandler;
  readonly #tally: RequestTally;
  readonly #servers: Server[] = [];

  constructor(handle: RequestHandler, tally: RequestTally) {
    this.#handle = handle;
    this.#tally = tally;
  }

  /**
   * Resolves with the port, also where 0 asked for a free one. `localhost` is 127.0.0.1 to some clients and ::1 to others:
   * it is listened on at both where the machine has both.
   */
  async listen(port: number, host: string): Promise<number> {
    const found = host === 'localhost' ? await lookup(host, { all: true }) : [{ address: host }];
    const [first, ...others] = found.map(({ address }) => address);
    const bound = await this.#open(port, first ?? host);
    for (const address of others) await this.#open(bound, address).catch(() => undefined);
    return bound;
  }

  /** Takes no new connections; resolves when those that are open have ended. */
  async close(): Promise<void> {
    const closed = this.#servers.map(
      (server) => new Promise<void>((resolve) => server.close(() => resolve())),
    );
    // A connection becomes idle only when its last bytes have left, and no event says so.
    const sweep = setInterval(() => {
      for (const server of this.#servers) server.closeIdleConnections();
    }, SWEEP_MS);
    await Promise.all(closed);
    clearInterval(sweep);
  }

  /** Ends all connections, whatever they wait for. */
  destroyConnections(): void {
    for (const server of this.#servers) server.closeAllConnections();
  }

  /** Connections that are open. */
  async connections(): Promise<number> {
    const counts = this.#servers.map(
      (server) => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  #open(port: number, host: string): Promise<number> {
    const server = createServer(OPTIONS, (request, response) => {
      if (!this.#handle(request, response)) this.#refuse(request, response);
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      this.#tally.broken += 1;
      answerBrokenRequest(error, socket);
    });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        this.#servers.push(server);
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  }

  /** A path that is not there, by any method. */
  #refuse({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const began = performance.now();
    if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) response.shouldKeepAlive = false;
    const path = (url.split('?')[0] ?? '').slice(0, 200);
    const detail = `${path} is not a path of this service; /openapi.json lists them. Paths match exactly.`;
    sendProblem(response, { code: 'unknown_route', detail });
    this.#tally.countUnmatched(response.statusCode, (performance.now() - began) / 1000);
  }
}
