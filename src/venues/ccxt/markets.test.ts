import { describe, expect, it } from 'vitest';
import { marketsDecoder } from './markets.ts';
import { makeMarket, makeProfile } from './unified-fixture.ts';

const NO_CONTEXT = { instruments: new Map() };

function decode(markets: unknown, profile = makeProfile()) {
  return marketsDecoder(profile)(markets, NO_CONTEXT);
}

/** The only instrument of one market. */
const one = (market: object, profile = makeProfile()) => decode([makeMarket(market)], profile).instruments[0];

describe('unified markets', () => {
  it("keep the venue's own symbol, and ccxt's beside it", () => {
    expect(one({ id: 'tBTCF0:USTF0', baseId: 'BTCF0', quoteId: 'USTF0' })).toStrictEqual({
      venue: 'somewhere',
      symbol: 'tBTCF0:USTF0',
      altId: 'BTC/USDT:USDT',
      base: 'BTC',
      ticker: 'BTC',
      multiplier: 1,
      contractSize: 1,
      quote: 'USDT',
      settle: 'USDT',
      takerFeeBps: 6,
    });
  });

  it('have the multiplier removed for known names only', () => {
    expect(one({ base: '1000PEPE' })).toMatchObject({ base: '1000PEPE', ticker: 'PEPE', multiplier: 1000 });
    expect(one({ base: '1INCH' })).toMatchObject({ ticker: '1INCH', multiplier: 1 });
  });

  it('are read by symbol, as a list, or as one on its own', () => {
    const market = makeMarket();
    for (const payload of [{ 'BTC/USDT:USDT': market }, [market], market]) {
      expect(decode(payload).instruments.map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
    }
  });

  it.each([
    ['spot', { type: 'spot', spot: true, swap: false }],
    ['dated', { type: 'future', swap: false, future: true }],
    ['dated', { expiry: 1_800_000_000_000 }],
    ['option', { type: 'option', swap: false, option: true }],
    ['inverse', { linear: false, inverse: true, settle: 'BTC' }],
    ['quanto', { linear: false, inverse: false }],
    ['quanto', { quanto: true }],
    ['foreign_quote', { quote: 'EUR', settle: 'EUR' }],
    ['foreign_quote', { quote: 'USD', settle: 'BTC' }],
    ['not_trading', { active: false }],
  ])('are left out as %s: %j', (reason, market) => {
    const { instruments, rejects } = decode([makeMarket(market)]);
    expect(instruments).toEqual([]);
    expect(rejects).toEqual([{ symbol: 'BTC/USDT:USDT', reason }]);
  });

  it('count as live where no state is given', () => {
    expect(one({ active: undefined })).toBeDefined();
  });

  it.each([
    ['missing_field', { id: undefined }, 'id'],
    ['missing_field', { base: '' }, 'base'],
    ['missing_field', { contractSize: undefined }, 'contractSize'],
    ['out_of_range', { contractSize: 0 }, 'contractSize'],
  ])('are faults where a field is not usable: %s %j', (reason, market, detail) => {
    expect(decode([makeMarket(market)]).rejects).toEqual([{ symbol: 'BTC/USDT:USDT', reason, detail }]);
  });

  it('of one id are read once', () => {
    const { instruments, rejects } = decode([
      makeMarket(),
      makeMarket({ symbol: 'BTC/USD:USD', quote: 'USD' }),
    ]);
    expect(instruments.map(({ altId }) => altId)).toEqual(['BTC/USDT:USDT']);
    expect(rejects).toMatchObject([{ symbol: 'BTC/USD:USD', reason: 'malformed' }]);
  });

  it('of an equity have its asset class', () => {
    expect(one({ stock: true })?.assetClass).toBe('equity');
    expect(one({})).not.toHaveProperty('assetClass');
  });

  it.each([null, 'text', 7])('that are no structures are one fault: %j', (payload) => {
    expect(decode(payload).rejects).toMatchObject([{ symbol: null, reason: 'unexpected_shape' }]);
  });

  it('leave broken rows out, one fault each', () => {
    const { instruments, rejects } = decode([null, 3, {}, makeMarket()]);
    expect(instruments).toHaveLength(1);
    expect(rejects.map(({ reason }) => reason)).toEqual(['malformed', 'malformed', 'malformed']);
  });
});

describe('the taker fee', () => {
  const fees = { swap: 0.0005, spotDefault: 0.002 };

  it('is the one the market states', () => {
    expect(one({ taker: 0.0004 }, makeProfile({ fees }))?.takerFeeBps).toBe(4);
    expect(one({ taker: 0 }, makeProfile({ fees }))?.takerFeeBps).toBe(0);
  });

  it("is not spot's, which ccxt fills in where a market states none", () => {
    expect(one({ taker: 0.002 }, makeProfile({ fees }))?.takerFeeBps).toBe(5);
    const onlySpot = makeProfile({ fees: { swap: undefined, spotDefault: 0.002 } });
    expect(one({ taker: 0.002 }, onlySpot)).not.toHaveProperty('takerFeeBps');
  });

  it('is unknown where it cannot be a fraction', () => {
    expect(one({ taker: 0.06 })).not.toHaveProperty('takerFeeBps');
    expect(one({ taker: undefined })).not.toHaveProperty('takerFeeBps');
  });
});
