import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Clock, systemClock } from '../../../src/domain/clock.ts';
import { CONTROL_PREFIX, control } from './control.ts';
import { Faults } from './faults.ts';
import { type Mount, mountAll } from './mount.ts';
import { tickSlowness } from './pace.ts';
import { RequestLog } from './request-log.ts';
import { send, sendFaulty } from './send.ts';
import { Streams } from './streams.ts';
import type { SimVenue } from './venue.ts';
import type { World } from './world.ts';

export interface SimServerOptions {
  /** 0 = any free port. */
  readonly port?: number;
  readonly host?: string;
  readonly world: World;
  readonly venues: readonly SimVenue[];
  readonly clock?: Clock;
  readonly faults?: Faults;
  /** Usual period of stream ticks, ms; 0 = only `tick()` drives them. */
  readonly tickMs?: number;
  /** Slowness of the world now, of which ticks have a part (`tickSlowness`); default 1. */
  readonly slowness?: () => number;
}

export interface SimServer {
  /** `http://127.0.0.1:PORT`; a venue lives at `<url>/<id>`. */
  readonly url: string;
  readonly port: number;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Drives all stream sessions once. */
  tick(): void;
  /** Open WebSocket connections of a venue. */
  connections(venue: string): number;
  /** Those of them whose client has said something. */
  asking(venue: string): number;
  /** Drops all connections and stops listening. */
  close(): Promise<void>;
}

/** Part of a tick that a round of all sessions takes: late rounds still end before the next one. */
const ROUND_SHARE = 0.8;
/** Node's five seconds would end connections of a client that a busy machine holds up as it asks. */
const KEEP_ALIVE_MS = 300_000;

/** Serves the venues of a world over HTTP and WebSocket on loopback. Rejects when it cannot listen. */
export async function startSimServer(options: SimServerOptions): Promise<SimServer> {
  const { world, venues, clock = systemClock, host = '127.0.0.1', tickMs = 1000 } = options;
  const faults = options.faults ?? new Faults(clock);
  const log = new RequestLog();
  const streams = new Streams(world, clock, faults, log);
  const handler = new Handler(world, venues, clock, faults, log, streams, () => options.slowness?.() ?? 1);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    handler.request(req, res).catch(() => res.destroy());
  });
  server.on('upgrade', (req, socket, head) => handler.upgrade(req, socket, head));
  await listen(server, options.port ?? 0, host);
  const { port } = server.address() as AddressInfo;
  let periods = 0;
  const tick = (): void => {
    const slowness = tickSlowness(options.slowness?.() ?? 1);
    periods += 1;
    if (periods % slowness === 0) void streams.round(tickMs * slowness * ROUND_SHARE);
  };
  const timer = tickMs > 0 ? setInterval(tick, tickMs) : undefined;
  return {
    url: `http://${host}:${port}`,
    port,
    faults,
    log,
    tick: () => streams.tick(),
    connections: (venue) => streams.connections(venue),
    asking: (venue) => streams.asking(venue),
    close: () => {
      clearInterval(timer);
      streams.close();
      faults.clear();
      return new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      });
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** A request's target: the first path segment names the venue. */
interface Target {
  readonly prefix: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly search: string;
}

class Handler {
  readonly #mounts: ReadonlyMap<string, Mount>;
  readonly #world: World;
  readonly #clock: Clock;
  readonly #faults: Faults;
  readonly #log: RequestLog;
  readonly #streams: Streams;
  readonly #slowness: () => number;

  constructor(
    world: World,
    venues: readonly SimVenue[],
    clock: Clock,
    faults: Faults,
    log: RequestLog,
    streams: Streams,
    slowness: () => number,
  ) {
    this.#mounts = mountAll(venues);
    this.#world = world;
    this.#clock = clock;
    this.#faults = faults;
    this.#log = log;
    this.#streams = streams;
    this.#slowness = slowness;
  }

  async request(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      const body = await readBody(req);
      const target = targetOf(req.url ?? '/');
      const acceptsGzip = /\bgzip\b/.test(String(req.headers['accept-encoding'] ?? ''));
      if (`/${target.prefix}` === CONTROL_PREFIX) {
        await send(res, this.#control(req.method ?? 'GET', target, body), false);
        return;
      }
      await this.#venue(req.method ?? 'GET', target, body, res, acceptsGzip);
    } catch (error) {
      if (res.headersSent) res.destroy();
      else await send(res, { status: 500, body: JSON.stringify({ error: String(error) }) }, false);
    }
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const { prefix, path, search } = targetOf(request.url ?? '/');
    const mount = this.#mounts.get(prefix);
    if (mount === undefined) {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    this.#streams.upgrade({ request, socket, head, venue: mount.venue, path: path + search });
  }

  #control(method: string, target: Target, body: string) {
    const venues = [...this.#mounts.keys()];
    const slowness = this.#slowness();
    const sim = {
      world: this.#world,
      clock: this.#clock,
      faults: this.#faults,
      log: this.#log,
      venues,
      slowness,
    };
    return control(sim, method, target.path, target.query, body);
  }

  async #venue(
    method: string,
    target: Target,
    body: string,
    res: ServerResponse,
    acceptsGzip: boolean,
  ): Promise<void> {
    const { prefix, path, query, search } = target;
    const mount = this.#mounts.get(prefix);
    if (mount === undefined) return send(res, { status: 404, body: '{"error":"no such venue"}' }, false);
    const now = this.#clock.now();
    res.setHeader('date', new Date(now).toUTCString());
    const active = this.#faults.hit({ venue: prefix, path: path + search, body, on: 'rest' });
    const time = active?.fault.kind === 'stale' ? (active.fault.at ?? now) : now;
    const { response, weight, outcome } = mount.answer(
      { method, path, query, body, now: time },
      this.#world,
      now,
    );
    const entry = { at: now, venue: prefix, method, path: path + search, body, weight };
    const change = { refused: outcome === 'refused' ? 1 : 0, unknown: outcome === 'unknown' ? 1 : 0 };
    if (active === undefined) {
      this.#log.add({ ...entry, status: response.status }, change);
      return send(res, response, acceptsGzip);
    }
    const fault = active.fault.kind;
    const status = fault === 'hang' || fault === 'reset' ? 0 : response.status;
    this.#log.add({ ...entry, status, fault }, change);
    await sendFaulty(res, response, acceptsGzip, active, now);
  }
}

const MAX_BODY = 1_000_000;

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    const piece = Buffer.from(chunk);
    size += piece.length;
    if (size > MAX_BODY) throw new RangeError('request body too large');
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function targetOf(url: string): Target {
  const q = url.indexOf('?');
  const full = q < 0 ? url : url.slice(0, q);
  const search = q < 0 ? '' : url.slice(q);
  const end = full.indexOf('/', 1);
  const prefix = end < 0 ? full.slice(1) : full.slice(1, end);
  const path = end < 0 ? '/' : full.slice(end);
  return { prefix, path, query: new URLSearchParams(search), search };
}
