import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Failure } from '../../domain/errors.ts';
import { KEEP_ALIVE_MS } from '../encoded-response.ts';
import type { NoticePages } from '../page/notice-pages.ts';
import { prefersHtml } from '../request/accept.ts';
import type { UnknownRoute } from '../request/unknown-route.ts';
import { answerBrokenRequest, MAX_HEADER_BYTES, refuseConnection } from './broken-request.ts';
import type { ConnectionGate } from './connection-gate.ts';
import type { Upgrade } from './event-stream.ts';
import { lastResponse } from './last-response.ts';
import { sendProblem, sendReply } from './reply.ts';
import type { RequestTally } from './request-tally.ts';

const HEAD_TIMEOUT_MS = 10_000;

const OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  keepAliveTimeout: KEEP_ALIVE_MS,
  requestTimeout: 30_000,
  // Requests without a body get no stream that is read to its end. Node.js before 24.12 does not know it, and ignores it.
  optimizeEmptyRequests: true,
} as const;
const SWEEP_MS = 50;
/** No path that ends here takes a body: a longer one is not read to its end, and its connection is closed. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Node.js gives such a body to nobody. */
const BODY_BESIDE_UPGRADE: Failure = {
  code: 'malformed_request',
  detail: 'A request with a body cannot ask for another protocol: leave Upgrade out.',
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/** Takes a request; false where it has no such path. Never throws. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The client that a connection is counted to; undefined = a proxy, behind which there are many. */
export type ClientOf = (socketAddress: string) => string | undefined;

const isLook = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

const noSuchPath: UnknownRoute = () => ({ code: 'unknown_route', detail: 'There is no such path.' });

export interface HttpServerOptions {
  readonly handle: RequestHandler;
  /** Takes a request for another protocol; false where it is to be answered as any other. Default: none is taken. */
  readonly upgrade?: (asked: Upgrade) => boolean;
  readonly tally: RequestTally;
  readonly gate: ConnectionGate;
  /** Default the address itself. */
  readonly clientOf?: ClientOf;
  /** The failure of a path that nobody takes. */
  readonly unknown?: UnknownRoute;
  /** Shows that failure to browsers; without it everybody gets the problem document. */
  readonly pages?: Pick<NoticePages, 'unknown'>;
  /** Time for the whole head of a request, counted from the connection on so that one which sends nothing ends, too. */
  readonly headTimeoutMs?: number;
}

/** Node's server with the limits of this service, a 404 for what nobody takes, and an orderly end. */
export class HttpServer {
  readonly #handle: RequestHandler;
  readonly #upgrade: NonNullable<HttpServerOptions['upgrade']>;
  readonly #tally: RequestTally;
  readonly #gate: ConnectionGate;
  readonly #clientOf: ClientOf;
  readonly #unknown: UnknownRoute;
  readonly #pages: Pick<NoticePages, 'unknown'> | undefined;
  readonly #headTimeoutMs: number;
  readonly #servers: Server[] = [];
  /** The response of the latest request of a connection: those before it are sent first. */
  readonly #latest = new WeakMap<Socket, ServerResponse>();
  /** Connections that asked for another protocol: Node.js closes them no more. */
  readonly #detached = new Set<Socket>();

  constructor({ handle, upgrade, tally, gate, clientOf, unknown, pages, headTimeoutMs }: HttpServerOptions) {
    this.#handle = handle;
    this.#upgrade = upgrade ?? (() => false);
    this.#tally = tally;
    this.#gate = gate;
    this.#clientOf = clientOf ?? ((address) => address);
    this.#unknown = unknown ?? noSuchPath;
    this.#pages = pages;
    this.#headTimeoutMs = headTimeoutMs ?? HEAD_TIMEOUT_MS;
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
    for (const socket of this.#detached) socket.destroy();
  }

  /** Connections that are open. */
  async connections(): Promise<number> {
    const counts = this.#servers.map(
      (server) => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  #open(port: number, host: string): Promise<number> {
    const headersTimeout = this.#headTimeoutMs;
    // By default Node.js looks twice a minute, and a time-out of ten seconds takes up to forty.
    const timeouts = { headersTimeout, connectionsCheckingInterval: headersTimeout / 10 };
    const server = createServer({ ...OPTIONS, ...timeouts }, (request, response) => {
      this.#latest.set(request.socket, response);
      this.#answer(request, response);
    });
    // By default headers beyond a thousand are left out without a word, that of the length among them: their bytes are bounded.
    server.maxHeadersCount = 0;
    server.on('connection', (socket) => this.#admit(server, socket));
    server.on('upgrade', (request, socket, head) => this.#detach({ request, socket, head }));
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

  /** Takes a request for another protocol, once the answers to those before it are sent. */
  #detach(asked: Upgrade): void {
    const { socket } = asked.request;
    this.#detached.add(socket);
    socket.once('close', () => this.#detached.delete(socket));
    const before = this.#latest.get(socket);
    if (before === undefined || before.closed) this.#take(asked);
    else {
      socket.on('error', () => socket.destroy()).on('drain', () => before.emit('drain'));
      before.once('close', () => this.#take(asked));
    }
  }

  /** A server may answer as if no other protocol had been asked for (RFC 9110, 7.8). */
  #take(asked: Upgrade): void {
    const { request } = asked;
    if (!request.socket.writable) return;
    if (!hasBody(request) && this.#upgrade(asked)) return;
    const response = lastResponse(request);
    if (hasBody(request)) {
      sendProblem(response, BODY_BESIDE_UPGRADE);
      this.#tally.countUnmatched(response.statusCode, 0);
    } else this.#answer(request, response);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#handle(request, response)) this.#refuse(request, response);
  }

  #admit(server: Server, socket: Socket): void {
    const client = this.#clientOf(socket.remoteAddress ?? '');
    if (this.#gate.enter(client) !== undefined) {
      refuseConnection(socket);
      return;
    }
    socket.once('close', () => this.#gate.leave(client));
    // Clients that have been answered open another connection where they need one.
    if (this.#gate.isFull) server.closeIdleConnections();
  }

  /** A path that is not there, by any method. */
  #refuse({ method, url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const began = performance.now();
    if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) response.shouldKeepAlive = false;
    const failure = this.#unknown(url);
    const isPage = this.#pages !== undefined && isLook(method) && prefersHtml(headers.accept);
    if (isPage) sendReply(response, this.#pages.unknown(failure));
    else sendProblem(response, failure);
    this.#tally.countUnmatched(response.statusCode, (performance.now() - began) / 1000);
  }
}
