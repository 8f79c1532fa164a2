import { simBases } from '@perpmeter/sim/bases';
import { createWorld } from '@perpmeter/sim/create-world';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { Exchange, pro } from 'ccxt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BookRunner } from '../../src/collect/books/book-runner.ts';
import { Contracts } from '../../src/collect/contracts.ts';
import { VenueDecodePipeline } from '../../src/collect/decode-pipeline.ts';
import { VenueHealthBoard } from '../../src/collect/health.ts';
import { silentLogger } from '../../src/collect/logger.ts';
import { failed, type Outcome } from '../../src/collect/transport-failure.ts';
import type { Answer } from '../../src/collect/venue-caller.ts';
import { asMs } from '../../src/domain/units.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { systemTimer } from '../../src/runtime/timer.ts';
import type { VenueRequest } from '../../src/venues/adapter.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { tradedAt } from '../books/sim-rig.ts';
import { until } from '../until.ts';
import { type Pairing, pairingsOf } from '../venues/sim-run.ts';
import { pointed } from './reading.ts';

/** ccxt's streamed books and ours, before the same simulated sockets. */

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const STEPS = 5;

/** An optional dependency, looked for once. */
const ccxt = await import('ccxt').catch(() => undefined);
if (ccxt === undefined) console.log('ccxt is not installed: its books are not compared');
const readers = ccxt === undefined ? [] : (await import('./readers/index.ts')).READERS;
const CASES = readers.flatMap(({ venue, exchange, books }) =>
  typeof books === 'object' ? [{ venue, id: exchange as keyof typeof pro, ...books }] : [],
);

const world = createWorld(1);
let now = AT;
const clock = { now: () => asMs(now) };
let server: SimServer;

beforeAll(async () => {
  const venues = SIM_VENUES.map((sim) => ({ ...sim, limit: { ...sim.limit, weight: 1e9 } }));
  server = await startSimServer({ world, venues, clock, tickMs: 0 });
});

afterAll(() => server.close());

/** Our own books of one contract, over the same socket. */
function ours(pairing: Pairing, isListed: (symbol: string) => boolean) {
  const { adapter } = pairing;
  const { books } = adapter;
  const traded = tradedAt(pairing, world, AT, 100).find(({ instrument }) => isListed(instrument.symbol));
  if (books?.stream === undefined || traded === undefined) throw new Error(`${adapter.id}: no book for both`);
  const bases = simBases(adapter.bases, server.url, adapter.id);
  const store = createBookStore({ clock });
  const contracts = new Contracts();
  contracts.replace('all', [traded.instrument]);
  const sink = { venue: () => {}, instruments: () => {}, quotes: () => {} };
  const request = async (asked: VenueRequest): Promise<Outcome<Answer>> => {
    const answer = await fetch(`${bases[asked.base ?? 'rest']}${asked.path}`, {
      method: asked.method,
      ...(asked.body === undefined ? {} : { body: asked.body }),
    });
    if (!answer.ok) return failed('status', String(answer.status));
    return { ok: true, value: { payload: await answer.json(), receivedAt: clock.now() } };
  };
  const runner = new BookRunner({
    adapter,
    bases,
    books,
    clock,
    timer: systemTimer,
    random: () => 0.5,
    logger: silentLogger,
    stream: {},
    coverage: { bookSink: store.bookSink },
    feed: new VenueDecodePipeline({
      adapter,
      contracts,
      sink,
      clock,
      logger: silentLogger,
      health: new VenueHealthBoard(clock),
    }),
    plan: () => contracts.plan(clock.now()),
    request,
  });
  const { venue, symbol } = traded.instrument;
  const levels = (most: number) => store.view.levels(venue, symbol, most);
  return { runner, instrument: traded.instrument, levels };
}

type Levels = readonly (readonly number[])[];

/** Levels as numbers that two ways of scaling cannot tell apart. */
const plain = (side: Levels, most: number, scale = 1) =>
  side
    .slice(0, most)
    .map(([price = Number.NaN, size = Number.NaN]) => [
      Number(price.toPrecision(10)),
      Number((size * scale).toPrecision(8)),
    ]);

it.skipIf(ccxt === undefined)('every venue with streamed books in ccxt: compared, or why not', () => {
  const streaming = VENUES.filter(({ books, parent }) => books?.stream !== undefined && parent === undefined);
  const known = streaming.flatMap(({ id }) => readers.filter(({ venue }) => venue === id));
  expect(known.filter(({ books }) => books === undefined).map(({ venue }) => venue)).toEqual([]);
  const compared = known.filter(({ books }) => typeof books === 'object').map(({ venue }) => venue);
  expect(compared.sort()).toEqual(CASES.map(({ venue }) => venue).sort());
});

describe.skipIf(ccxt === undefined).each(CASES)(
  '$venue',
  ({ venue, id, depth = 10, inContracts, markets, without = [], watched }) => {
    it('has the same book as ccxt, level by level, step after step', async () => {
      const pairing = pairingsOf(VENUES, SIM_VENUES, world, AT).find(({ adapter }) => adapter.id === venue);
      if (pairing === undefined) throw new Error(`${venue} is not simulated`);
      const Made = ccxt?.pro[id];
      if (Made === undefined) throw new Error(`ccxt has no ${id}`);
      const options = {
        defaultType: 'swap',
        ...(markets && { fetchMarkets: markets }),
        ...(watched && { watchOrderBook: watched }),
      };
      const made = new Made({ options }) as unknown as Exchange;
      Object.assign(made, Object.fromEntries(without.map((name) => [name, async () => []])));
      const exchange = await pointed(made, `${server.url}/${venue}`);
      // Without it a plain ws:// address is refused.
      await exchange.loadHttpProxyAgent();
      const marketOf = (wanted: string) =>
        Object.values(exchange.markets ?? {}).find(
          (market) =>
            market?.swap === true && [market.id, ...Object.values(market.info ?? {})].includes(wanted),
        );
      const { runner, instrument, levels } = ours(pairing, (wanted) => marketOf(wanted) !== undefined);
      const market = marketOf(instrument.symbol);
      const symbol = String(market?.symbol);
      const scale = inContracts === true ? instrument.contractSize : 1;
      let theirs: { bids: Levels; asks: Levels } | undefined;
      const abort = new AbortController();
      let isDone = false;
      const watch = async (): Promise<void> => {
        while (!isDone) theirs = (await exchange.watchOrderBook(symbol)) as unknown as typeof theirs;
      };
      const watching = watch().catch((error: unknown) => {
        if (!isDone) throw error;
      });
      try {
        runner.refresh();
        void runner.run(abort.signal);
        await until(() => expect(server.connections(venue)).toBe(2));
        // A step before ccxt's subscription is one that its book, asked for before, would never see.
        const asks = (pairing.adapter.books?.stream?.subscribe([symbol], 1) ?? []).length > 0;
        if (asks) await until(() => expect(server.asking(venue)).toBe(2));
        // A book that is joined with REST begins after some messages, ccxt's after five.
        await until(() => {
          now += 1000;
          server.tick();
          expect(levels(depth)?.bids.length).toBe(depth);
          expect(theirs?.bids.length).toBeGreaterThanOrEqual(depth);
        });
        for (let step = 0; step < STEPS; step++) {
          now += 1000;
          server.tick();
          await until(() => {
            server.tick();
            const own = levels(depth);
            expect(own?.bids.length).toBe(depth);
            const truth = world.book(truthOf(pairing, instrument.symbol), now, depth);
            expect(plain(own?.bids ?? [], depth)).toEqual(plain(truth.bids, depth));
            expect(plain(theirs?.bids ?? [], depth, scale)).toEqual(plain(own?.bids ?? [], depth));
            expect(plain(theirs?.asks ?? [], depth, scale)).toEqual(plain(own?.asks ?? [], depth));
          });
        }
      } finally {
        isDone = true;
        abort.abort();
        runner.close();
        await exchange.close();
        await watching;
      }
    });
  },
);

function truthOf({ sim }: Pairing, symbol: string) {
  const contract = world.contracts(sim.listing).find((contract) => contract.symbol === symbol);
  if (contract === undefined) throw new Error(`${symbol} is not in the world`);
  return contract;
}
