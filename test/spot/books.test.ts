import { createWorld } from '@perpmeter/sim/create-world';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { PRIORITY } from '../../src/collect/priority.ts';
import { failed } from '../../src/collect/transport-failure.ts';
import { asMs } from '../../src/domain/units.ts';
import type { SpotMarket } from '../../src/modules/spot/spot-rows.ts';
import { bookStateOf } from '../../src/modules/spot-market/books/book-state.ts';
import { depthRow } from '../../src/modules/spot-market/books/depth-row.ts';
import { SpotBooks } from '../../src/modules/spot-market/books/spot-books.ts';
import { spotBookMetrics } from '../../src/modules/spot-market/metrics.ts';
import type { AskSpot } from '../../src/modules/spot-market/plan/ask-spot.ts';
import { SPOT_PLANS } from '../../src/modules/spot-market/plan/plans.ts';
import type { PlannedCall } from '../../src/modules/spot-market/plan/spot-plan.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/runtime/duration.ts';
import { until } from '../until.ts';
import { answerOf, readSimulated, SPOT_AT } from './simulated-spot.ts';

const WORLD = createWorld(1);

/** The books of one venue on a clock that the test moves. @param answer default: what the simulated venue answers */
function following(
  venue: string,
  answer?: (call: PlannedCall) => unknown,
  isHeld: () => boolean = () => false,
) {
  const plan = SPOT_PLANS.find((known) => known.venue === venue);
  if (plan === undefined) throw new Error(`${venue} has no plan`);
  const { list } = readSimulated(plan, WORLD);
  const markets = new Map(list.markets.map((market) => [market.symbol, market]));
  let now = SPOT_AT;
  const clock = { now: () => asMs(now) };
  const asked: string[] = [];
  const priorities = new Set<number | undefined>();
  let release: (() => void) | undefined;
  let gate: Promise<void> | undefined;
  const ask: Pick<AskSpot, 'ask'> = {
    ask: async (_, call, __, priority) => {
      asked.push(call.path);
      priorities.add(priority);
      await gate;
      const payload = answer === undefined ? answerOf(plan, call, WORLD, now) : answer(call);
      if (payload === undefined) return failed('timeout', 'late');
      return { ok: true, value: { payload, receivedAt: clock.now() } };
    },
  };
  const spot = { markets: () => markets };
  const books = new SpotBooks({ plans: [plan], ask, spot, clock, logger: silentLogger, isHeld });
  const counted = () => books.counts.get(venue) ?? { read: 0, failed: 0 };
  return {
    books,
    asked,
    priorities,
    symbols: [...markets.keys()],
    look: (symbol: string) => bookStateOf({ venue, symbol }, books.view),
    advance: (ms: number) => {
      now += ms;
    },
    /** Calls of now on end when they are released. */
    hold: () => {
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return () => release?.();
    },
    settled: (calls: number) => until(() => expect(counted().read + counted().failed).toBe(calls)),
  };
}

describe('the book of a spot market', () => {
  it('a venue that names markets by number: asked for by that', async () => {
    const { look, asked, symbols, settled, books } = following('lighter');
    const [, symbol = ''] = symbols;
    look(symbol);
    await settled(1);
    expect(asked).toEqual(['/api/v1/orderBookOrders?market_id=2049&limit=250']);
    const { quote } = look(symbol);
    expect(quote?.bestBid).toBeLessThan(quote?.bestAsk ?? 0);
    expect(books.view.fillPrice('lighter', symbol, 'buy', 10_000)).toBeGreaterThan(quote?.bestAsk ?? 0);
  });

  it('one that is read: fetched once for all readers, then served', async () => {
    const { look, asked, priorities, symbols, settled, books } = following('bybit');
    const [symbol = ''] = symbols;
    for (let reader = 0; reader < 20; reader++) expect(look(symbol)).toEqual({ reason: 'not_received' });
    expect(books.view.isPending('bybit', symbol)).toBe(true);
    await settled(1);
    expect(asked).toEqual([`/v5/market/orderbook?category=spot&limit=200&symbol=${symbol}`]);
    expect([...priorities]).toEqual([PRIORITY.perContract]);
    const { quote } = look(symbol);
    expect(quote?.bestBid).toBeLessThan(quote?.bestAsk ?? 0);
    expect(books.view.isPending('bybit', symbol)).toBe(false);
    expect(books.view.fillPrice('bybit', symbol, 'buy', 10_000)).toBeGreaterThan(quote?.bestAsk ?? 0);
  });

  it('a book of five seconds: asked for again; of a minute: no quote', async () => {
    const { look, asked, symbols, settled, advance, hold } = following('kraken');
    const [symbol = ''] = symbols;
    look(symbol);
    await settled(1);
    advance(4 * SECOND_MS);
    look(symbol);
    expect(asked).toHaveLength(1);
    advance(2 * SECOND_MS);
    const release = hold();
    expect(look(symbol).quote).toBeDefined();
    expect(asked).toHaveLength(2);
    advance(MINUTE_MS);
    expect(look(symbol)).toEqual({ reason: 'not_received' });
    release();
    await settled(2);
    expect(look(symbol).quote).toBeDefined();
  });

  it('a call that fails: rests, for longer with each failure', async () => {
    const { look, asked, symbols, settled, advance } = following('okx', () => undefined);
    const [symbol = ''] = symbols;
    let waitedMs = 0;
    for (let call = 1; call <= 4; call++) {
      look(symbol);
      await settled(call);
      expect(asked).toHaveLength(call);
      const restMs = 5 * SECOND_MS * 2 ** call;
      advance(restMs - 1);
      look(symbol);
      expect(asked).toHaveLength(call);
      advance(1);
      waitedMs += restMs;
    }
    expect(waitedMs).toBe(150 * SECOND_MS);
  });

  it('answers without the book, or of another market: counted as failed', async () => {
    const { look, symbols, settled, books } = following('okx', () => ({ code: '0', data: [] }));
    const [symbol = ''] = symbols;
    look(symbol);
    await settled(1);
    expect(look(symbol)).toEqual({ reason: 'not_received' });
    const lines: unknown[] = [];
    for (const { name, read } of spotBookMetrics(books))
      await read((labels, value) => lines.push([name, labels, value]));
    expect(lines).toEqual([
      ['perpmeter_spot_books_total', { venue: 'okx', outcome: 'read' }, 0],
      ['perpmeter_spot_books_total', { venue: 'okx', outcome: 'failed' }, 1],
      ['perpmeter_spot_books', {}, 1],
    ]);
  });

  it('a book with one side: says so', async () => {
    const { look, symbols, settled } = following('gate', () => ({ id: 1, bids: [['1', '2']], asks: [] }));
    const [symbol = ''] = symbols;
    look(symbol);
    await settled(1);
    expect(look(symbol)).toEqual({ reason: 'one_sided' });
  });

  it('a book whose sides cross: says so for a minute, and is not awaited', async () => {
    const crossed = { id: 1, bids: [['2', '2']], asks: [['1', '2']] };
    const { look, symbols, settled, books, advance, hold } = following('gate', () => crossed);
    const [symbol = ''] = symbols;
    look(symbol);
    await settled(1);
    expect(look(symbol)).toEqual({ reason: 'crossed' });
    expect(books.view.isPending('gate', symbol)).toBe(false);
    const row = { venue: 'gate', symbol, quote: 'USDT' } as SpotMarket;
    expect(depthRow(row, books.view, undefined)).toMatchObject({
      book: 'crossed',
      null_reasons: { mid_price: 'crossed' },
    });
    hold();
    advance(MINUTE_MS);
    expect(look(symbol)).toEqual({ reason: 'not_received' });
  });

  it('a book of 55 seconds: awaited again for two seconds, then served', async () => {
    const { look, asked, symbols, settled, advance, hold, books } = following('bybit');
    const [symbol = ''] = symbols;
    const isPending = () => books.view.isPending('bybit', symbol);
    look(symbol);
    await settled(1);
    expect(isPending()).toBe(false);
    advance(55 * SECOND_MS);
    const before = look(symbol).quote?.confirmedAt;
    expect(isPending()).toBe(true);
    expect(books.view.passive.isPending('bybit', symbol)).toBe(false);
    await settled(2);
    expect(isPending()).toBe(false);
    expect(look(symbol).quote?.confirmedAt).toBe(Number(before) + 55 * SECOND_MS);
    advance(55 * SECOND_MS);
    const release = hold();
    expect(isPending()).toBe(true);
    advance(2 * SECOND_MS);
    expect(isPending()).toBe(false);
    expect(look(symbol).quote).toBeDefined();
    expect(asked).toHaveLength(3);
    release();
    await settled(3);
  });

  it('many markets at once: eight calls are under way at most', async () => {
    const { look, asked, symbols, settled, hold } = following('mexc');
    const release = hold();
    for (const symbol of symbols) look(symbol);
    expect(symbols.length).toBeGreaterThan(8);
    expect(asked).toHaveLength(8);
    release();
    await settled(8);
    for (const symbol of symbols.slice(8)) look(symbol);
    expect(asked).toHaveLength(16);
    await settled(16);
  });

  it('a quarter of an hour without a reader: given up', async () => {
    const { look, symbols, settled, advance, books } = following('htx');
    const [first = '', second = ''] = symbols;
    look(first);
    await settled(1);
    advance(16 * MINUTE_MS);
    look(second);
    await settled(2);
    expect(books.size).toBe(1);
  });

  it('unknown markets, a process that sheds load or ends: nothing is asked', async () => {
    const unread = following('bybit');
    expect(unread.look('NOSUCHUSDT')).toEqual({ reason: 'not_received' });
    await unread.books.stop();
    unread.look(unread.symbols[0] ?? '');
    const held = following('bybit', undefined, () => true);
    held.look(held.symbols[0] ?? '');
    expect([...unread.asked, ...held.asked]).toEqual([]);
  });
});
