import { describe, expect, it, onTestFinished } from 'vitest';
import { asBps } from '../../src/domain/units.ts';
import { ladder } from '../../src/market/books/book-fixture.ts';
import { makePatch, type QuoteSketch } from '../../src/market/market-fixture.ts';
import type { MarketRow } from '../../src/market/view.ts';
import { Calendar } from '../../src/modules/calendar/calendar.ts';
import { makeFacts } from '../../src/modules/calendar/calendar-fixture.ts';
import { CALENDAR } from '../../src/modules/calendar/port.ts';
import type { ContractFacts, WholeList } from '../../src/modules/calendar/venue-memory.ts';
import type { AskedCondition } from '../../src/modules/watch-conditions/condition.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { fill } from '../../src/runtime/port.ts';
import { forgetful } from '../api/example-calendar.ts';
import { createExampleHistory } from '../api/example-history.ts';
import { frameOf } from '../books/frame-of.ts';
import { conditionFrom, marketRig, watchRig } from './watch-rig.ts';

const ROW = { mark: 100, index: 100, rate: 0.0001, interval: 8, interestBase: 1000, volumeUsd: 1e9 };

/** Watches over two venues whose past is that of the rows at the beginning. */
function rigOf() {
  let past: readonly MarketRow[] = [];
  const market = marketRig([], (clock) => createExampleHistory(() => past, clock));
  for (const venue of ['binance', 'okx']) market.list(venue, ['BTC'], { takerFeeBps: asBps(5) });
  const quote = (venue: string, sketch: Partial<QuoteSketch> = {}): void => {
    const patch = makePatch({ symbol: 'BTCUSDT', ...ROW, ...sketch });
    market.tape.sinks.market.quotes(venue, [patch], market.now());
  };
  quote('binance');
  quote('okx');
  past = market.market.view.rows();
  const rig = watchRig(market);
  onTestFinished(() => rig.close());
  rig.turn();
  return {
    ...rig,
    market,
    quote,
    forget: () => {
      past = [];
    },
    hold: (asked: Partial<AskedCondition>) => rig.hold(conditionFrom(market, { ticker: 'BTC', ...asked })),
    /** A minute, in which both venues quote. */
    pass: async (sketch: Partial<QuoteSketch> = {}, minutes = 1): Promise<void> => {
      for (let passed = 0; passed < minutes * 6; passed += 1) {
        quote('binance', sketch);
        quote('okx');
        rig.turn(1, MINUTE_MS / 6);
        await new Promise(setImmediate);
      }
    },
    book: (venue: string, size: number): void => {
      const names = { symbol: 'BTCUSDT', base: 'BTC', ticker: 'BTC', quote: 'USDT', settle: 'USDT' };
      const contract = { venue, ...names, multiplier: 1, contractSize: 1 };
      const bids = ladder(99.99, -0.02, size, 40);
      const asks = ladder(100.01, 0.02, size, 40);
      const frame = frameOf({ symbol: names.symbol, kind: 'snapshot', bids, asks });
      const writer = market.tape.sinks.books.open(contract, { uncrosses: false });
      writer.replace(frame, market.now(), { source: 'stream' });
    },
  };
}

describe('conditions over what is stored', () => {
  it.each([
    [{ kind: 'percentile', above: 95, days: 7 }, { rate: 0.01 }, 'percentile', 100],
    [{ kind: 'oi_change', above: 40, hours: 6 }, { interestBase: 1500 }, 'current_oi', 1500],
    [{ kind: 'volume_ratio', above: 10 }, { volumeUsd: 1e10 }, 'ratio', 20],
  ] as const)('%o, then %o: fired once', async (asked, sketch, field, value) => {
    const { hold, pass, told, faults } = rigOf();
    hold({ venue: 'binance', ...asked });
    await pass({}, 2);
    expect(told).toEqual([]);
    await pass(sketch, 2);
    expect(told).toMatchObject([{ kind: 'fired', values: { [field]: value } }]);
    await pass({}, 2);
    expect(told.map(({ kind }) => kind)).toEqual(['fired', 'cleared']);
    expect(faults).toEqual([]);
  });

  it('volume between two stored hours: fired with both, and cleared', async () => {
    const { hold, turn, told } = rigOf();
    hold({ kind: 'volume_change', venue: 'binance', above: 1.5, hours: 12 });
    for (let passed = 0; passed < 23 * 6; passed += 1) {
      turn(1, 10 * MINUTE_MS);
      await new Promise(setImmediate);
    }
    expect(told.map(({ kind }) => kind)).toEqual(['fired', 'cleared']);
    const values: Readonly<Record<string, unknown>> = told[0]?.values ?? {};
    const hoursOf = (name: string): number => Date.parse(String(values[name])) / 3_600_000;
    expect(hoursOf('current_hour') - hoursOf('past_hour')).toBe(12);
    const share = Number(values.current_volume_usd) / Number(values.past_volume_usd);
    expect(values.value_change_pct).toBeCloseTo((share - 1) * 100, 9);
  });

  it.each(['oi_change', 'volume_change'] as const)('%s without a past: unknown', async (kind) => {
    const { hold, pass, told, forget, desk } = rigOf();
    forget();
    const id = hold({ kind, venue: 'binance', above: 1 });
    await pass({}, 7);
    expect(told).toMatchObject([{ kind: 'unknown', reason: 'no_data' }]);
    expect(desk.find(id)?.progress.phase).toBe('armed');
  });
});

describe('conditions over books', () => {
  const CHEAP = 'binance:1,okx:1';
  const DEAR = 'binance:20,okx:20';

  it('the best pair net of my fees: the cheap ones fire, the dear do not', async () => {
    const { hold, pass, told, book, quote, turn } = rigOf();
    const cheap = hold({ kind: 'net_apr', above: 60, fees: CHEAP, size_usd: 1000 });
    hold({ kind: 'net_apr', above: 60, fees: DEAR, size_usd: 1000 });
    const low = hold({ kind: 'net_apr', above: 30, fees: DEAR, size_usd: 1000 });
    await pass();
    expect(told).toEqual([]);
    for (const venue of ['binance', 'okx']) book(venue, 1000);
    quote('binance', { rate: 0.0009 });
    turn(8);
    expect(told.map(({ watchId, kind }) => [watchId, kind])).toEqual([
      [cheap, 'fired'],
      [low, 'fired'],
    ]);
    const [atOne, atTwenty] = told.map(({ values }) => Number(values.net_apr_pct));
    // Two legs, each entered and left, dearer by 19 bps each time, over the week that is held.
    expect((atOne ?? 0) - (atTwenty ?? 0)).toBeCloseTo(((4 * 19) / 100) * (365 / 7), 6);
    expect(told[0]?.values).toMatchObject({ round_trip_fee_bps: 4, short_venue: 'binance' });
  });

  it('slippage at a size: the larger one fires where the book is thin', async () => {
    const { hold, pass, told, book, turn } = rigOf();
    const large = hold({ kind: 'slippage', venue: 'binance', above: 5, size_usd: 10_000 });
    const small = hold({ kind: 'slippage', venue: 'binance', above: 5, size_usd: 1000 });
    await pass();
    book('binance', 1000);
    turn(12);
    expect(told).toEqual([]);
    book('binance', 10);
    turn(12);
    expect(told.map(({ watchId, kind }) => [watchId, kind])).toEqual([[large, 'fired']]);
    expect(told[0]?.values.est_slippage_for_size_usd_bps).toBeGreaterThan(5);
    book('binance', 1);
    turn(12);
    expect(told.map(({ watchId, kind }) => [watchId, kind]).at(-1)).toEqual([small, 'fired']);
  });
});

describe('events of the calendar', () => {
  const BTC = makeFacts('BTC');
  const ETH = makeFacts('ETH');
  const MATIC = makeFacts('MATIC', { ticker: 'POL', canonicalId: 'crypto:POL' });
  const POL = makeFacts('POL');
  const first = [BTC, ETH, MATIC];

  it.each<[AskedCondition['kind'], string, readonly ContractFacts[], readonly ContractFacts[]]>([
    ['listed', 'SOLUSDT', [...first, makeFacts('SOL')], []],
    ['delisted', 'ETHUSDT', [BTC, MATIC], []],
    ['halted', 'ETHUSDT', [BTC, MATIC], [ETH]],
    ['renamed', 'POLUSDT', [BTC, ETH, POL], []],
  ])('%s: fired with the event, once, and by no other kind', (kind, symbol, then, halted) => {
    const calendar = new Calendar(forgetful);
    const market = marketRig([fill(CALENDAR, calendar)]);
    market.list('binance', ['BTC', 'ETH']);
    const rig = watchRig(market);
    onTestFinished(() => rig.close());
    const list = (contracts: readonly ContractFacts[], stopped: readonly ContractFacts[] = []): void => {
      const whole: WholeList = {
        venue: 'binance',
        at: market.now(),
        contracts,
        halted: new Set(stopped.map((each) => each.symbol)),
        announced: [],
      };
      calendar.take(whole);
      rig.turn(2, 5 * MINUTE_MS);
    };
    list(first);
    const id = rig.hold(conditionFrom(market, { kind, venue: 'binance' }));
    const other = kind === 'halted' ? 'delisted' : 'halted';
    rig.hold(conditionFrom(market, { kind: other, venue: 'binance' }));
    rig.turn(2, 1000);
    for (let times = 0; times < 4; times += 1) list(then, halted);
    expect(rig.told).toMatchObject([
      { watchId: id, kind: 'fired', values: { kind, venue: 'binance', venue_symbol: symbol } },
    ]);
  });
});
