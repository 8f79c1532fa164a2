import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UnixMs } from '../domain/units.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import { makeMarket } from './market-fixture.ts';

/** Quotes on several venues, a mark each. */
function quoteAll(
  fixture: ReturnType<typeof makeMarket>,
  symbol: string,
  marks: Readonly<Record<string, number>>,
): void {
  for (const [venue, mark] of Object.entries(marks))
    fixture.quote(venue, { symbol, mark, volumeUsd: 1e6, rate: 1e-4 });
}

describe('comparability in the table', () => {
  test('rows are judged before they are first read, and again by the sweep', () => {
    const fixture = makeMarket();
    for (const venue of ['binance', 'bybit', 'gate']) fixture.list(venue, ['BTC']);
    quoteAll(fixture, 'BTCUSDT', { binance: 100, bybit: 100.2, gate: 120 });
    const reasons = () => fixture.market.view.rows().map((row) => row.uncomparableReason);
    expect(reasons()).toEqual([undefined, undefined, 'price_dispersion']);
    quoteAll(fixture, 'BTCUSDT', { gate: 100 });
    fixture.pass(1000);
    expect(reasons()).toEqual([undefined, undefined, undefined]);
  });

  test('a mark that leaps is judged before it is shown', () => {
    const fixture = makeMarket();
    for (const venue of ['binance', 'bybit', 'gate']) fixture.list(venue, ['BTC']);
    quoteAll(fixture, 'BTCUSDT', { binance: 100, bybit: 100, gate: 100 });
    fixture.pass(0);
    quoteAll(fixture, 'BTCUSDT', { gate: 150 });
    expect(fixture.market.view.row('gate', 'crypto:BTC')).toMatchObject({
      markPrice: 150,
      comparable: false,
    });
    quoteAll(fixture, 'BTCUSDT', { bybit: 1 });
    expect(fixture.market.view.contract('bybit', 'BTCUSDT')).toMatchObject({
      markPrice: 1,
      comparable: false,
    });
  });

  test('a mark that leaps: judged also where rows are read one by one', () => {
    const fixture = makeMarket();
    for (const venue of ['binance', 'bybit', 'gate']) fixture.list(venue, ['BTC']);
    quoteAll(fixture, 'BTCUSDT', { binance: 100, bybit: 100, gate: 100 });
    const rows = fixture.market.view.eachRow()[Symbol.iterator]();
    expect(rows.next().value).toMatchObject({ venue: 'binance', comparable: true });
    quoteAll(fixture, 'BTCUSDT', { bybit: 10_000 });
    expect(rows.next().value).toMatchObject({ markPrice: 10_000, comparable: false });
  });

  test('an index that leaps: judged before it is shown', () => {
    let flag: string | undefined;
    const fixture = makeMarket({ suspect: () => flag });
    fixture.list('binance', ['BTC']);
    const quote = { symbol: 'BTCUSDT', mark: 100, index: 100, rate: 1e-4, interestUsd: 1e6 };
    const reason = () => fixture.market.view.rows()[0]?.suspectReason;
    fixture.quote('binance', quote);
    fixture.pass(0);
    flag = 'jump';
    fixture.quote('binance', { ...quote, rate: 1e-2, interestUsd: 1e8 });
    expect(reason()).toBeUndefined();
    fixture.quote('binance', { ...quote, index: 10_000 });
    expect(reason()).toBe('jump');
    flag = undefined;
    fixture.pass(10_000);
    expect(reason()).toBeUndefined();
    flag = 'jump';
    fixture.quote('binance', { ...quote, index: 10_100, rate: 1e-2 });
    expect(reason()).toBeUndefined();
    fixture.pass(1000);
    expect(reason()).toBe('jump');
  });

  test('a mark that goes on leaping: judged once, until comparable again', () => {
    let sweeps = 0;
    const fixture = makeMarket({
      health: () => {
        sweeps += 1;
        return { status: 'live' };
      },
      suspect: () => (sweeps > 1 ? 'jump' : undefined),
    });
    fixture.list('binance', ['BTC']);
    const show = (mark: number) => {
      fixture.quote('binance', { symbol: 'BTCUSDT', mark });
      return fixture.market.view.rows()[0]?.comparable;
    };
    expect([show(1), sweeps]).toEqual([true, 1]);
    expect([show(100), sweeps]).toEqual([false, 2]);
    expect([show(1), show(100), sweeps]).toEqual([false, false, 2]);
  });

  test('a mark outside the curated range: the identity is uncertain', () => {
    const fixture = makeMarket();
    fixture.list('binance', [{ base: 'STX', assetClass: 'crypto' }]);
    fixture.quote('binance', { symbol: 'STXUSDT', mark: 909 });
    expect(fixture.market.view.rows()).toMatchObject([
      { comparable: false, uncomparableReason: 'identity_uncertain' },
    ]);
  });

  test('a contract that waits for a mark: no row and no listing before', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['STX']);
    fixture.quote('binance', { symbol: 'STXUSDT', rate: 0.0001 });
    expect(fixture.market.view.rows()).toEqual([]);
    fixture.quote('binance', { symbol: 'STXUSDT', mark: 909 });
    expect(fixture.market.view.rows()).toMatchObject([{ canonicalId: 'equity:STX', fundingRate: 0.0001 }]);
    expect(fixture.market.view.lists('binance', 'equity:STX')).toBe(true);
  });

  test('no volume and no move for a day: dead until it trades or moves', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    const still = { symbol: 'BTCUSDT', mark: 5, volumeUsd: 0, rate: 0.0001 };
    for (let hour = 0; hour < 24; hour++) {
      fixture.quote('binance', still);
      fixture.pass(hour < 23 ? HOUR_MS : HOUR_MS - 5);
    }
    fixture.quote('binance', still);
    fixture.pass(0);
    expect(fixture.market.view.rows()).toMatchObject([{ comparable: true }]);
    fixture.pass(5);
    expect(fixture.market.view.rows()).toMatchObject([{ uncomparableReason: 'dead_market' }]);
    fixture.quote('binance', { ...still, mark: 5.01 });
    fixture.pass(0);
    expect(fixture.market.view.rows()).toMatchObject([{ comparable: true }]);
  });

  test('a book that has been empty for ten minutes is a dead market', () => {
    const since: { at: UnixMs | undefined } = { at: undefined };
    const fixture = makeMarket({
      bookEmptySince: () => since.at,
    });
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 5, volumeUsd: 10 });
    since.at = fixture.now();
    fixture.pass(10 * 60_000 - 1);
    expect(fixture.market.view.rows()[0]?.uncomparableReason).toBeUndefined();
    fixture.pass(1);
    expect(fixture.market.view.rows()[0]?.uncomparableReason).toBe('dead_market');
  });

  test('a listing on which nothing has happened is a placeholder', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1, volumeUsd: 0, interestBase: 0, rate: 0 });
    expect(fixture.market.view.rows()).toMatchObject([{ uncomparableReason: 'placeholder' }]);
  });
});

describe('automatic split', () => {
  const venues = ['binance', 'bybit', 'gate'];

  function run(marks: Readonly<Record<string, number>>, hours: number) {
    const fixture = makeMarket();
    for (const venue of venues) fixture.list(venue, ['ABC']);
    for (let hour = 0; hour <= hours; hour++) {
      quoteAll(fixture, 'ABCUSDT', marks);
      fixture.pass(1000);
      fixture.pass(HOUR_MS - 1000);
    }
    quoteAll(fixture, 'ABCUSDT', marks);
    fixture.pass(60_000);
    return fixture;
  }

  test('two levels side by side for a day: two assets of one ticker', () => {
    const fixture = run({ binance: 1, bybit: 1.01, gate: 37 }, 25);
    expect(fixture.market.view.rows().map((row) => [row.venue, row.canonicalId, row.comparable])).toEqual([
      ['binance', 'crypto:ABC', true],
      ['bybit', 'crypto:ABC', true],
      ['gate', 'crypto:ABC~2', true],
    ]);
    expect(fixture.market.view.resolve('ABC').kind).toBe('ambiguous');
  });

  test('not before a day, and never for a power of ten', () => {
    expect(run({ binance: 1, bybit: 1.01, gate: 37 }, 20).market.view.identitiesOf('ABC')).toEqual([
      'crypto:ABC',
    ]);
    const fault = run({ binance: 1, bybit: 1.01, gate: 1000 }, 30);
    expect(fault.market.view.identitiesOf('ABC')).toEqual(['crypto:ABC']);
    expect(fault.market.view.rowsOf('crypto:ABC')[2]?.uncomparableReason).toBe('multiplier_suspect');
  });

  test('a new list from the venue does not undo it', () => {
    const fixture = run({ binance: 1, bybit: 1.01, gate: 37 }, 25);
    fixture.list('gate', ['ABC']);
    expect(fixture.market.view.lists('gate', 'crypto:ABC~2')).toBe(true);
  });
});

describe('the freshness of a rate', () => {
  test('ends with its own limit, whatever the mark does', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.list('apex', ['BTC'], { rateEveryMs: 60_000 });
    for (const venue of ['binance', 'apex'])
      fixture.quote(venue, { symbol: 'BTCUSDT', mark: 100, rate: 0.0001 });
    const rates = () => fixture.market.view.rows().map(({ fresh, rateFresh }) => [fresh, rateFresh]);
    const later = (ms: number) => {
      for (let passed = 0; passed < ms; passed += 10_000) {
        fixture.pass(10_000);
        for (const venue of ['binance', 'apex']) fixture.quote(venue, { symbol: 'BTCUSDT', mark: 100 });
      }
      fixture.pass(0);
    };
    later(60_000);
    expect(rates()).toEqual([
      [true, true],
      [true, true],
    ]);
    later(60_000);
    expect(rates()).toEqual([
      [true, false],
      [true, true],
    ]);
    later(10_000);
    expect(rates()).toEqual([
      [true, false],
      [true, false],
    ]);
    fixture.quote('binance', { symbol: 'BTCUSDT', rate: 0.0001 });
    fixture.pass(0);
    expect(fixture.market.view.row('binance', 'crypto:BTC')).toMatchObject({ rateFresh: true });
  });
});

describe('a sweep that passes over what cannot have changed', () => {
  const bases = ['BTC', 'ETH', 'STX'];
  const venues = ['binance', 'bybit', 'gate'];
  const quote = fc.record({
    venue: fc.constantFrom(...venues),
    base: fc.constantFrom(...bases),
    mark: fc.option(fc.constantFrom(1, 1.01, 1.2, 37), { nil: undefined }),
    rate: fc.option(fc.constantFrom(0, 1e-4), { nil: undefined }),
    volumeUsd: fc.option(fc.constantFrom(0, 1e6), { nil: undefined }),
    interestBase: fc.option(fc.constantFrom(0, 10), { nil: undefined }),
  });
  const step = fc.oneof(
    { weight: 4, arbitrary: quote },
    { weight: 4, arbitrary: fc.constantFrom(1000, 60_000, 120_000, 900_000, 24 * HOUR_MS, -HOUR_MS) },
    { weight: 1, arbitrary: fc.constantFrom('list', 'unlist') },
  );

  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  function play(fixture: ReturnType<typeof makeMarket>, steps: readonly Step[]) {
    for (const venue of venues) fixture.list(venue, bases, { rateEveryMs: venue === 'gate' ? 60_000 : 0 });
    const seen = () => [
      fixture.market.view.rows().map(({ version: _, ...row }) => row),
      fixture.market.view.venues().map((venue) => ({ ...venue })),
    ];
    return steps.map((step) => {
      if (typeof step === 'number') {
        // Looked at shortly before a limit, and again shortly after.
        fixture.pass(step - 5);
        const before = seen();
        fixture.pass(10);
        return [before, seen()];
      }
      apply(fixture, step);
      return seen();
    });
  }

  function apply(fixture: ReturnType<typeof makeMarket>, step: Step): void {
    if (typeof step === 'number') fixture.pass(step);
    else if (step === 'list') fixture.list('gate', bases);
    else if (step === 'unlist') fixture.list('gate', ['BTC']);
    else fixture.quote(step.venue, { ...(step as object), symbol: `${step.base}USDT` });
  }

  test('has the rows of one that looks at everything, whatever passes', () => {
    const health = () => ({ status: 'live' }) as const;
    // A book that is empty as of now is a reason to look again.
    const whole = () => makeMarket({ health, bookEmptySince: () => Number.MAX_SAFE_INTEGER as UnixMs });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        expect(play(makeMarket({ health }), steps)).toEqual(play(whole(), steps));
      }),
    );
  });

  test('only changed rows renewed: equal to those read one by one', () => {
    const look = fc.constantFrom('rows', 'each', 'one', 'nothing');
    fc.assert(
      fc.property(fc.array(fc.tuple(step, look), { maxLength: 60 }), (steps) => {
        const fixture = makeMarket({ health: () => ({ status: 'live' }) });
        const { view } = fixture.market;
        for (const venue of venues) fixture.list(venue, bases);
        for (const [one, then] of steps) {
          apply(fixture, one);
          if (then === 'rows') expect(view.rows()).toEqual([...view.eachRow()]);
          else if (then === 'each') expect([...view.eachRow()]).toEqual(view.rows());
          else if (then === 'one') view.rowsOf('crypto:BTC');
        }
        expect(view.rows()).toEqual([...view.eachRow()]);
      }),
    );
  });
});
