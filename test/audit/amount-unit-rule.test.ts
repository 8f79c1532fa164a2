import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asBase, asMs, asPrice, asUsd } from '../../src/domain/units.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket } from '../../src/market/live-table.ts';
import { makeInstrument, makeVenueInfo } from '../../src/market/market-fixture.ts';
import { Audit } from '../../src/modules/audit/audit.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { type ComparedAmount, MIN_COMPARED, wrongUnit } from '../../src/modules/audit/rules/amount-unit.ts';
import { ccxtAdapter } from '../../src/venues/ccxt/index.ts';
import { marketsDecoder } from '../../src/venues/ccxt/markets.ts';
import { openInterestDecoder } from '../../src/venues/ccxt/open-interest.ts';
import { tickersDecoder } from '../../src/venues/ccxt/tickers.ts';
import { makeMarket, makeProfile } from '../../src/venues/ccxt/unified-fixture.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../market/memory-stores.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';
import { Random } from '../soak/random.ts';
import { heardBy } from './heard-by.ts';
import { memoryIncidentStore } from './memory-incidents.ts';

/** A venue's amounts of its contracts, over prices of so many powers of ten; noise of shares is normal. */
interface Sketch {
  readonly seed: number;
  readonly contracts: number;
  readonly decades: number;
  /** Natural logarithms. */
  readonly noise: number;
  readonly size: number;
  /** By which a share honestly grows with the price. */
  readonly slope: number;
}

const TEN = Math.log(10);

function amountsOf(sketch: Sketch, factor: (amount: ComparedAmount) => number): readonly ComparedAmount[] {
  const random = new Random(sketch.seed);
  const uniform = (): number => random.next() - 0.5;
  const normal = (): number => Array.from({ length: 12 }, uniform).reduce((sum, part) => sum + part, 0);
  return Array.from({ length: sketch.contracts }, () => {
    const price = TEN * sketch.decades * uniform();
    const others = Math.log(1e7) + 2 * normal();
    // A contract is worth some dollars, or is one unit; sizes are powers of ten.
    const contractSize = random.next() < 0.1 ? 0 : TEN * Math.round(2 - price / TEN + 2 * uniform());
    const own = others + sketch.size + sketch.slope * price + sketch.noise * normal();
    const honest = { own, others, largest: others + 1, price, contractSize };
    return { ...honest, own: own + factor(honest) };
  });
}

const sketch = (noise: number, decades: fc.Arbitrary<number>, slope: number): fc.Arbitrary<Sketch> =>
  fc.record({
    seed: fc.integer({ min: 1, max: 1e9 }),
    contracts: fc.integer({ min: MIN_COMPARED, max: 300 }),
    decades,
    noise: fc.double({ min: 0.01, max: noise, noNaN: true }),
    // From a millionth of the others to twice as much.
    size: fc.double({ min: -6 * TEN, max: Math.log(2), noNaN: true }),
    slope: fc.double({ min: -slope, max: slope, noNaN: true }),
  });
const RUNS = { numRuns: 60 * PROPERTY_RUNS.times, seed: 51 + PROPERTY_RUNS.seed };

/** A class of contracts: decades of its prices, and the power of ten of its contract size. */
interface Class {
  readonly from: number;
  readonly to: number;
  readonly size: number;
}
const CLASSES: readonly (readonly [string, readonly [Class, Class]])[] = [
  [
    'majors and small coins',
    [
      { from: 1.5, to: 5, size: 0 },
      { from: -1, to: 0.5, size: 0 },
    ],
  ],
  [
    'coins and thousands of coins',
    [
      { from: -2, to: 3, size: 0 },
      { from: -7, to: -3, size: 3 },
    ],
  ],
  [
    'coins and stocks',
    [
      { from: -2, to: 1, size: 0 },
      { from: 1.7, to: 3, size: -1 },
    ],
  ],
  [
    'contracts of two currencies',
    [
      { from: -1, to: 3, size: 0 },
      { from: -1, to: 3, size: 1 },
    ],
  ],
  [
    'coins of one decade, and memes',
    [
      { from: 0, to: 1, size: 0 },
      { from: -9, to: -4, size: 0 },
    ],
  ],
];

describe('the unit of amounts', () => {
  it('right amounts of a venue of any size: no verdict', () => {
    const any = sketch(2, fc.double({ min: 0, max: 10, noNaN: true }), 0.3);
    fc.assert(
      fc.property(any, (made) => {
        const honest = amountsOf(made, () => 0);
        expect(wrongUnit(honest, honest)).toBeUndefined();
      }),
      RUNS,
    );
  });

  it.each([
    ['quote currency read as base units', (amount: ComparedAmount) => amount.price],
    ['base units read as quote currency', (amount: ComparedAmount) => -amount.price],
    ['contracts read as base units', (amount: ComparedAmount) => -amount.contractSize],
    ['base units read as contracts', (amount: ComparedAmount) => amount.contractSize],
  ])('%s: told, whatever the size of the venue', (name, factor) => {
    const wide = sketch(1, fc.double({ min: 6, max: 10, noNaN: true }), 0.1);
    fc.assert(
      fc.property(wide, (made) => {
        expect(wrongUnit(amountsOf(made, factor), [])).toBe(name);
      }),
      RUNS,
    );
  });

  it('a factor that all share: told where it is too large', () => {
    const made = { seed: 7, contracts: 40, decades: 8, noise: 1, size: 0, slope: 0 };
    const honest = amountsOf(made, () => 0);
    const thousandfold = amountsOf(made, () => Math.log(1000));
    expect(wrongUnit(thousandfold, honest)).toBe('larger than is possible');
    expect(wrongUnit(honest, thousandfold)).toBeUndefined();
    expect(
      wrongUnit(
        amountsOf(made, () => -Math.log(1000)),
        honest,
      ),
    ).toBeUndefined();
  });

  it('one large venue among small ones: no verdict', () => {
    const made = { seed: 7, contracts: 40, decades: 8, noise: 1, size: 0, slope: 0 };
    const interest = amountsOf(made, () => Math.log(500));
    const volume = amountsOf(made, () => Math.log(100));
    expect(wrongUnit(interest, volume)).toBeUndefined();
    expect(wrongUnit(volume, interest)).toBeUndefined();
    // Nothing says how large it is.
    expect(wrongUnit(interest, volume.slice(0, MIN_COMPARED - 1))).toBeUndefined();
  });

  it.each(CLASSES)('%s, in one of which a venue is small: no verdict', (_, classes) => {
    const runs = fc.record({
      seed: fc.integer({ min: 1, max: 1e9 }),
      noise: fc.double({ min: 0.1, max: 1.2, noNaN: true }),
      step: fc.double({ min: -Math.log(300), max: Math.log(300), noNaN: true }),
      first: fc.integer({ min: 10, max: 40 }),
      second: fc.integer({ min: 10, max: 40 }),
    });
    fc.assert(
      fc.property(runs, ({ seed, noise, step, first, second }) => {
        const random = new Random(seed);
        const normal = (): number =>
          Array.from({ length: 12 }, () => random.next()).reduce((a, b) => a + b) - 6;
        const made = [
          { is: classes[0], count: first, share: 0 },
          { is: classes[1], count: second, share: step },
        ].flatMap(({ is, count, share }) =>
          Array.from({ length: count }, (): ComparedAmount => {
            const price = TEN * (is.from + (is.to - is.from) * random.next());
            const others = Math.log(1e7) + 2 * normal();
            const own = others - 2 + share + noise * normal();
            return { own, others, largest: others + 1, price, contractSize: TEN * is.size };
          }),
        );
        expect(wrongUnit(made, made)).toBeUndefined();
      }),
      RUNS,
    );
  });

  it('prices that hardly differ, or few contracts: nothing can be told', () => {
    const made = { seed: 7, contracts: 60, decades: 0.5, noise: 1, size: 0, slope: 0 };
    expect(
      wrongUnit(
        amountsOf(made, ({ price }) => price),
        [],
      ),
    ).toBeUndefined();
    const few = { ...made, contracts: MIN_COMPARED - 1, decades: 10 };
    expect(
      wrongUnit(
        amountsOf(few, ({ price }) => price),
        [],
      ),
    ).toBeUndefined();
  });
});

const BASES = Array.from({ length: 30 }, (_, i) => `COIN${String.fromCharCode(65 + i / 5, 65 + (i % 5))}`);
const priceOf = (i: number): number => 10 ** ((i % 10) - 5) * (1 + i / 7);
/** Contracts of some dollars each. */
const sizeOf = (i: number): number => 10 ** (6 - (i % 10));
/** Open interest of each asset, USD; each venue has its own part of it. */
const heldUsd = (i: number): number => 1e7 * (1 + (i % 7));
const shareOf = (i: number): number => 1 + ((i * 13) % 5) / 2;
const SOMEWHERE = 'somewhere';
const MARKETS = BASES.map((base, i) =>
  makeMarket({ id: base, symbol: `${base}/USDT:USDT`, base, baseId: base, contractSize: sizeOf(i) }),
);

/** Three venues with right amounts, and one that ccxt reads: it states so many of whatever `figures` says. */
function besideOthers(figures: (i: number) => { readonly amount: number; readonly value: number }) {
  const clock = { now: () => asMs(Date.UTC(2026, 9, 20, 13, 20)) };
  const audit = new Audit(new Incidents(memoryIncidentStore()), clock);
  const market = createMarket({
    clock,
    identity: createInstrumentIdentities(memoryIdentityStore()),
    sourceIds: memorySourceIdStore(),
    suspect: (venue, symbol) => audit.suspect(venue, symbol),
  });
  const sink = heardBy(audit, market);
  ['binance', 'bybit', 'okx'].forEach((venue, n) => {
    sink.venue(makeVenueInfo({ id: venue, sourceId: n + 1 }), 5000);
    const list = BASES.map((base) => makeInstrument({ venue, symbol: base, base, ticker: base }));
    sink.instruments(venue, list, clock.now());
    const quotes = BASES.map((symbol, i) => {
      const usd = heldUsd(i) * (1 + ((i * 7 + n) % 3));
      const amounts = { openInterestUsd: asUsd(usd), volume24hBase: asBase(usd / priceOf(i)) };
      return { symbol, markPrice: asPrice(priceOf(i)), ...amounts };
    });
    sink.quotes(venue, quotes, clock.now());
  });
  sink.venue(ccxtAdapter(makeProfile({ id: SOMEWHERE })), 5000);
  const { instruments } = marketsDecoder(makeProfile({ id: SOMEWHERE }))(MARKETS, { instruments: new Map() });
  sink.instruments(SOMEWHERE, instruments, clock.now());
  const context = {
    instruments: new Map(instruments.map((instrument) => [instrument.symbol, instrument])),
    receivedAt: clock.now(),
    markOf: (symbol: string) => priceOf(BASES.indexOf(symbol)),
  };
  const rows = BASES.map((base, i) => {
    const symbol = `${base}/USDT:USDT`;
    const { amount, value } = figures(i);
    const mark = priceOf(i);
    const ticker = { symbol, last: mark, markPrice: mark, baseVolume: amount, quoteVolume: value };
    return { ticker, interest: { symbol, openInterestAmount: amount, openInterestValue: value } };
  });
  const tickers = tickersDecoder(SOMEWHERE)(
    Object.fromEntries(rows.map(({ ticker }) => [ticker.symbol, ticker])),
    context,
  );
  const interests = openInterestDecoder(SOMEWHERE)(
    Object.fromEntries(rows.map(({ interest }) => [interest.symbol, interest])),
    context,
  );
  expect([...tickers.rejects, ...interests.rejects]).toEqual([]);
  sink.quotes(SOMEWHERE, tickers.quotes, clock.now());
  sink.quotes(SOMEWHERE, interests.quotes, clock.now());
  void [...audit.minute(market, { of: () => undefined })];
  market.sweep();
  const reasons = (venue: string) => [
    ...new Set(
      market.view
        .rows()
        .filter((row) => row.venue === venue)
        .map((row) => `${row.uncomparableReason} ${row.suspectReason}`),
    ),
  ];
  return { reasons };
}

describe('amounts that ccxt states, both figures scaled alike', () => {
  it.each([
    ['contracts and their value as if each were one unit', (i: number) => 1 / sizeOf(i)],
    ['quote currency, and that times the price', (i: number) => priceOf(i)],
  ])('%s: the rows are suspect', (_, wrong) => {
    const { reasons } = besideOthers((i) => {
      const base = (heldUsd(i) * shareOf(i) * 0.001 * wrong(i)) / priceOf(i);
      return { amount: base, value: base * priceOf(i) };
    });
    expect(reasons(SOMEWHERE)).toEqual(['suspect amount_unit']);
    for (const venue of ['binance', 'bybit', 'okx']) expect(reasons(venue)).toEqual(['undefined undefined']);
  });

  it('base units of a venue a thousand times smaller: silent', () => {
    const { reasons } = besideOthers((i) => {
      const base = (heldUsd(i) * shareOf(i) * 0.001) / priceOf(i);
      return { amount: base, value: base * priceOf(i) };
    });
    expect(reasons(SOMEWHERE)).toEqual(['undefined undefined']);
  });
});
