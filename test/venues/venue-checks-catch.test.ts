import { createWorld } from '@perpmeter/sim/create-world';
import type { SimBook, SimListing } from '@perpmeter/sim/world';
import { describe, expect, it } from 'vitest';
import type { BookUpdate } from '../../src/domain/book.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { asHours, asUsd } from '../../src/domain/units.ts';
import type { Decoder } from '../../src/venues/adapter.ts';
import { toyVenue } from '../sim/toy-venue.ts';
import { truthOf } from '../truth/contract-truth.ts';
import { errorBodyProblems, PAYLOAD_CHECKS } from './payload-checks.ts';
import { type Run, runAdapter } from './sim-run.ts';
import { type Mistakes, toyAdapter, toyDecoder } from './toy-adapter.ts';
import { type CheckInput, VENUE_CHECKS } from './venue-checks.ts';

/** The checks themselves: an honest reading passes all of them, each planted mistake is caught by its check. */

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);
const listing: SimListing = {
  ...toyVenue('toy').listing,
  count: 30,
  include: ['PEPE'],
  intervalHours: (rank) => (rank % 2 === 0 ? 8 : 4),
  baseName: (ticker) =>
    ticker === 'PEPE' ? { base: 'kPEPE', multiplier: 1000 } : { base: ticker, multiplier: 1 },
  delisted: 2,
};
const truth = truthOf(world, listing, AT);

/** A wire format with the truth in it: numbers as they are, one list. */
const sim = toyVenue('toy', {
  listing,
  rest: (request) =>
    request.path === '/rows' ? { status: 200, body: JSON.stringify({ rows: truth }) } : undefined,
});

function checkInput(decode: Decoder): CheckInput {
  const adapter = toyAdapter(decode);
  return {
    adapter,
    truth,
    at: AT,
    run: runAdapter({ adapter, sim, served: [sim] }, world, AT),
    topOf: () => undefined,
  };
}

const ALL = [...VENUE_CHECKS, ...PAYLOAD_CHECKS];
const failing = (input: CheckInput) =>
  ALL.filter((check) => check.problems(input).length > 0).map((check) => check.name);

describe('venue checks', () => {
  it('pass a correct decoder', () => {
    const input = checkInput(toyDecoder({}));
    for (const check of ALL) expect([check.name, ...check.problems(input)]).toEqual([check.name]);
    expect(errorBodyProblems(input, sim.limit.body)).toEqual([]);
  });

  const scale = (field: keyof QuotePatch, factor: number) => (patch: QuotePatch) => {
    const value = patch[field];
    if (typeof value === 'number') Reflect.set(patch, field, value * factor);
  };
  const drop = (field: keyof QuotePatch) => (patch: QuotePatch) => void Reflect.deleteProperty(patch, field);
  const onPepe = (change: (patch: QuotePatch) => void) => (patch: QuotePatch) => {
    if (patch.symbol.includes('PEPE')) change(patch);
  };

  const caught: readonly (readonly [mistake: string, mistakes: Mistakes, card: RegExp])[] = [
    ['a rate in percent', { quote: scale('fundingRate', 100) }, /funding rate/],
    ['a rate per 8 h', { quote: scale('fundingRate', 2) }, /funding rate/],
    ['a rate of the wrong sign', { quote: scale('fundingRate', -1) }, /funding rate/],
    [
      'an interval of 8 h for all',
      { quote: (patch) => void Reflect.set(patch, 'fundingIntervalHours', asHours(8)) },
      /interval/,
    ],
    ['the last settlement as the next', { quote: scale('nextFundingTime', 0.99999) }, /next funding/],
    ['no next funding', { quote: drop('nextFundingTime') }, /next funding/],
    ['a mark per thousand', { quote: onPepe(scale('markPrice', 1000)) }, /mark/],
    ['an index per thousand', { quote: onPepe(scale('indexPrice', 1000)) }, /index/],
    ['no index', { quote: drop('indexPrice') }, /index/],
    ['open interest of both sides', { quote: scale('openInterestUsd', 2) }, /open interest/],
    ['open interest in thousands', { quote: onPepe(scale('openInterestBase', 0.001)) }, /open interest/],
    ['no raw open interest', { quote: drop('openInterestRaw') }, /open interest/],
    ['volume of one hour', { quote: scale('volume24hUsd', 1 / 24) }, /volume/],
    ['bid and ask exchanged', { quote: scale('bestBid', 1.001) }, /bid and ask/],
    [
      'bid and ask in another unit',
      {
        quote: (patch) => {
          scale('bestBid', 1000)(patch);
          scale('bestAsk', 1000)(patch);
        },
      },
      /bid and ask/,
    ],
    ['delisted rows selected', { listsAll: true }, /selects exactly/],
    [
      'a live row lost',
      { instrument: (contract) => (contract.symbol === 'ETHUSDT' ? undefined : contract) },
      /selects exactly/,
    ],
    ['out-of-scope rows dropped in silence', { silent: true }, /out-of-scope rows/],
    [
      'a ticker with its multiplier',
      { instrument: (instrument) => ({ ...instrument, ticker: instrument.base }) },
      /ticker/,
    ],
    [
      'a multiplier of ten thousand',
      { instrument: (instrument) => ({ ...instrument, multiplier: instrument.multiplier * 10 }) },
      /multiplier/,
    ],
    ['a wrong class', { instrument: (instrument) => ({ ...instrument, assetClass: 'fx' }) }, /class/],
    [
      'null read as 0',
      {
        quote: (patch, row) => {
          if (row.mark === null) patch.openInterestUsd = asUsd(0);
        },
      },
      /null and empty/,
    ],
    [
      'an exception',
      { quote: (_patch, row) => void row.symbol.concat((row.quote as string).trim()) },
      /broken fields/,
    ],
    ['an unreadable value lost in silence', { swallows: true }, /broken fields/],
    [
      'text not read',
      {
        quote: (patch, row) => {
          if (typeof row.mark === 'string') delete patch.markPrice;
        },
      },
      /as text/,
    ],
    [
      'unknown fields not ignored',
      {
        quote: (patch, row) => {
          if ('zzNewField' in row) delete patch.markPrice;
        },
      },
      /unknown fields/,
    ],
  ];

  it.each(caught)('detect %s', (_mistake, mistakes, check) => {
    const names = failing(checkInput(toyDecoder(mistakes)));
    expect(names.some((name) => check.test(name))).toBe(true);
  });

  it('crossed books, wrong units, unlisted contracts: detected', () => {
    const [, check] = VENUE_CHECKS.filter((check) => /bid and ask|books/.test(check.name));
    const top: SimBook = { bids: [[99, 5]], asks: [[101, 5]] };
    const problems = (bids: BookUpdate['bids'], asks: BookUpdate['asks'], symbol = 'BTCUSDT') => {
      const input = checkInput(toyDecoder({}));
      const books: BookUpdate[] = [{ symbol, kind: 'snapshot', bids, asks }];
      const run: Run = Object.assign(Object.create(input.run), { books });
      const topOf = (asked: string) => (asked === 'BTCUSDT' ? top : undefined);
      return check?.problems({ ...input, run, topOf });
    };
    expect(problems(top.bids, top.asks)).toEqual([]);
    expect(problems([[101, 5]], [[99, 5]])?.join()).toContain('crossed');
    expect(problems([[99_000, 5]], [[101_000, 5]])?.join()).toContain('ratio 1000');
    expect(problems([[99, 0.005]], [[101, 0.005]])?.join()).toContain('size of best bid');
    expect(problems([], top.asks)).toEqual(['BTCUSDT: no bid']);
    expect(problems(top.bids, top.asks, 'GONEUSDT')?.join()).toContain('not listed');
  });

  it('detect an error body read as an empty success', () => {
    const honest = toyDecoder({});
    const input = checkInput((payload, context) => ({ ...honest(payload, context), rejects: [] }));
    expect(errorBodyProblems(input, sim.limit.body).length).toBeGreaterThan(0);
  });
});
