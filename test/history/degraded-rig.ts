import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { simBases } from '@perpmeter/sim/bases';
import { createWorld } from '@perpmeter/sim/create-world';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { pino } from 'pino';
import { expect } from 'vitest';
import { readTrustProxy } from '../../src/api/request/address.ts';
import { isWire, type Wire } from '../../src/domain/read.ts';
import type { HistoryState } from '../../src/history/history.ts';
import type { EngineOptions } from '../../src/history/open-store.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import type { Service } from '../../src/host/options.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import { startService } from '../../src/host/service.ts';
import { parsePaymentConfig } from '../../src/pay/config.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { encodeHeader, newAccount, signAuthorization, v2Payload } from '../pay/wallet.ts';
import { until } from '../until.ts';

const HOST = '127.0.0.1';
const VENUES = ['binance', 'bybit', 'okx'];

/** Settles whatever it is asked to, and counts it. */
async function startFacilitator() {
  const settled: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = (body: object): void => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      if (request.url === '/supported') {
        return answer({ kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] });
      }
      if (request.url === '/verify') return answer({ isValid: true });
      const { paymentPayload } = JSON.parse(Buffer.concat(chunks).toString()) as {
        paymentPayload: { payload: { authorization: { from: string; nonce: string } } };
      };
      const { from: payer, nonce } = paymentPayload.payload.authorization;
      settled.push(nonce);
      const transaction = `0x${randomBytes(32).toString('hex')}`;
      return answer({ success: true, transaction, network: 'eip155:8453', payer });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    settled,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Reply {
  readonly status: number;
  readonly code: unknown;
  readonly retryAfter: number;
  /** Time of the oldest row of the answer, ms. */
  readonly asOf: number;
  readonly body: unknown;
}

async function replyOf(response: Response): Promise<Reply> {
  const body: unknown = await response.json();
  return {
    status: response.status,
    code: isWire(body) ? body.code : undefined,
    retryAfter: Number(response.headers.get('retry-after')),
    asOf: Date.parse(response.headers.get('x-data-as-of') ?? ''),
    body,
  };
}

/**
 * The real service over simulated venues, in real time; only its history lives in a time of its own, some hours
 * ago, which moves on command.
 */
export interface Rig {
  readonly service: Service;
  readonly time: ManualTime;
  /** Payments that the facilitator was asked to settle. */
  readonly settled: readonly string[];
  /** A free route. */
  get(path: string): Promise<Reply>;
  /** A paid route, with a new payment. */
  buy(path: string): Promise<Reply>;
  /** Resolves when `/v1/health`, which is made once a second, says this of the service and of the store, with its counts. */
  says(status: 'ok' | 'degraded', store: Wire): Promise<void>;
  state(): HistoryState;
  /** Lets history live through some minutes: a sample at the end of each. */
  minutes(count: number): Promise<void>;
  /** Resolves when nothing waits to be written. */
  written(): Promise<void>;
  stop(): Promise<void>;
}

async function buyAt(base: string, seller: Seller, path: string): Promise<Reply> {
  const challenge = await fetch(base + path);
  const terms: unknown = JSON.parse(
    Buffer.from(challenge.headers.get('payment-required') ?? '', 'base64').toString(),
  );
  const accepts = isWire(terms) && Array.isArray(terms.accepts) ? terms.accepts : [];
  const value = isWire(accepts[0]) ? String(accepts[0].amount) : '';
  const signed = await signAuthorization(newAccount(), seller, { value });
  const headers = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(seller, signed)) };
  return replyOf(await fetch(base + path, { headers }));
}

async function launch(sim: SimServer, facilitator: string, options: RigOptions, time: ManualTime) {
  const port = await freePort(HOST);
  const base = `http://${HOST}:${port}`;
  const payments = parsePaymentConfig(
    {
      PAYMENTS_MODE: 'remote',
      PAY_TO_ADDRESS: newAccount().address,
      FACILITATOR_URL: facilitator,
      BASE_URL: base,
      LEDGER_PATH: join(options.dataDir, 'ledger'),
    },
    HOST,
  );
  const trustProxy = readTrustProxy('false');
  if (!payments.ok || trustProxy === undefined) throw new Error('the configuration is refused');
  if (payments.value.mode === 'off') throw new Error('nothing is sold');
  const venues = VENUES.flatMap((id) => adapterOf(id) ?? []);
  const started = await startService({
    host: HOST,
    port,
    version: '0.0.0',
    dataDir: options.dataDir,
    venues,
    data: 'simulated',
    bases: Object.fromEntries(venues.map(({ id, bases }) => [id, simBases(bases, sim.url, id)])),
    payments: payments.value,
    trustProxy,
    booksPerVenue: 2,
    history: {
      engine: options.engine,
      retention: DEFAULT_RETENTION,
      clock: time.clock,
      timer: time.timer,
      maxWaitingRows: options.maxWaitingRows,
    },
    logger: pino({ level: 'silent' }),
  });
  if (!started.ok) throw new Error(started.errors.join('\n'));
  return { base, service: started.value, seller: payments.value.seller };
}

export interface RigOptions {
  readonly engine: EngineOptions;
  readonly dataDir: string;
  readonly maxWaitingRows: number;
  /** Hours before now at which its history begins; 6 without it. */
  readonly hoursAgo?: number;
}

/** Its timers fall due on the time of the history. */
async function endOnTime(stopped: Promise<void>, time: ManualTime): Promise<void> {
  let isStopped = false;
  void stopped.finally(() => {
    isStopped = true;
  });
  await until(async () => {
    await time.advance(1000);
    expect(isStopped).toBe(true);
  });
  await stopped;
}

async function passMinutes(time: ManualTime, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    // A timer of every second fires once.
    time.jump(MINUTE_MS - 1000);
    await time.advance(1000);
  }
}

export async function openRig(options: RigOptions): Promise<Rig> {
  const hour = Math.floor(Date.now() / HOUR_MS) - (options.hoursAgo ?? 6);
  const time = new ManualTime(hour * HOUR_MS + 1);
  const facilitator = await startFacilitator();
  const sim = await startSimServer({
    world: createWorld(7),
    venues: SIM_VENUES.filter(({ id }) => VENUES.includes(id)),
  });
  const { base, service, seller } = await launch(sim, facilitator.url, options, time);
  const state = (): HistoryState => {
    if (service.history === undefined) throw new Error('no history is kept');
    return service.history.state();
  };
  const get = async (path: string): Promise<Reply> => replyOf(await fetch(base + path));
  const isFresh = (venue: string): boolean =>
    service.market.view.rows().some((row) => row.venue === venue && row.fresh);
  await until(() => expect(VENUES.filter((venue) => !isFresh(venue))).toEqual([]));
  return {
    service,
    time,
    get,
    state,
    settled: facilitator.settled,
    buy: (path) => buyAt(base, seller, path),
    says: (status, store) =>
      until(async () => {
        await time.advance(100);
        const { queuedRows, lostRows } = state().write;
        const counts = { waiting_rows: queuedRows, lost_rows: lostRows };
        expect((await get('/v1/health')).body).toMatchObject({ status, store: { ...store, ...counts } });
      }),
    minutes: (count) => passMinutes(time, count),
    written: () => until(() => expect(state().write).toMatchObject({ mode: 'writing', queuedRows: 0 })),
    async stop() {
      await endOnTime(service.stop(), time);
      await sim.close();
      await facilitator.stop();
    },
  };
}

export const LIVE = '/v1/funding/current?symbol=BTC';

/** Free answers go on and get newer. */
export async function keepsReceiving(rig: Rig): Promise<void> {
  const readAt = async (): Promise<number> => {
    const { body } = await rig.get('/v1/venues/health');
    const times = Array.isArray(body) ? body.filter(isWire).map((venue) => String(venue.last_update_at)) : [];
    expect(times).toHaveLength(VENUES.length);
    return Math.min(...times.map((time) => Date.parse(time)));
  };
  const heardAt = await readAt();
  await until(async () => expect(await readAt()).toBeGreaterThan(heardAt), 100);
}

/** Live answers, paid and free, go on and get newer. @returns how many were sold */
export async function staysLive(rig: Rig): Promise<number> {
  let sold = 1;
  const first = await rig.buy(LIVE);
  expect(first.status).toBe(200);
  await keepsReceiving(rig);
  await until(async () => {
    const next = await rig.buy(LIVE);
    expect(next.status).toBe(200);
    sold += 1;
    expect(next.asOf).toBeGreaterThan(first.asOf);
  }, 250);
  return sold;
}

/** Resolves when the store takes rows again and all that waited is written, with one more sample. */
export async function recover(rig: Rig): Promise<void> {
  await until(async () => {
    await rig.time.advance(1000);
    expect(rig.state().write).toMatchObject({ mode: 'writing', queuedRows: 0 });
  });
  await rig.minutes(1);
  await rig.written();
  await rig.says('ok', { ok: true, mode: 'writing', reason: null });
}
