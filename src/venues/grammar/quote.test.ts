import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../test/venues/recordings.ts';
import { publishedFixture } from '../../domain/amount-fixture.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import { asHours, asPrice } from '../../domain/units.ts';
import { derived, ms, price } from './field.ts';
import { amount, type QuoteTable, quoteChanges, quotes } from './quote.ts';
import type { RowDecoder } from './rows.ts';

const TABLE: QuoteTable = {
  markPrice: price('mark'),
  fundingIntervalHours: derived(() => asHours(8)),
  venueTime: ms('time'),
};
const TIME = 1_790_000_000_000;

const decode = (take: RowDecoder, wire: object) => {
  const out = emptyDecoded();
  const units = { multiplier: 1, perContract: undefined };
  take({ wire: { ...wire }, symbol: 'BTC', units, context: contextOf() }, out);
  return out;
};

describe('a row that states none of the fields', () => {
  it.each([{}, { last: '5' }, { time: TIME }, { mark: null }, { mark: '' }])(
    '%j is a fault where rows are whole',
    (row) => {
      expect(decode(quotes(TABLE), row)).toEqual({
        ...emptyDecoded(),
        rejects: [{ symbol: 'BTC', reason: 'missing_field', detail: 'no metric' }],
      });
    },
  );

  it.each([{}, { last: '5' }, { time: TIME }, { mark: null }, { mark: '' }])(
    '%j is nothing where rows hold what changed',
    (row) => {
      expect(decode(quoteChanges(TABLE), row)).toEqual(emptyDecoded());
    },
  );

  it('that cannot be read is one fault in both', () => {
    for (const take of [quotes(TABLE), quoteChanges(TABLE)])
      expect(decode(take, { mark: 'x' })).toEqual({
        ...emptyDecoded(),
        rejects: [{ symbol: 'BTC', reason: 'malformed', detail: 'markPrice' }],
      });
  });

  it('is a row where a rule finds what no field has', () => {
    const take = quoteChanges(TABLE, (patch) => {
      patch.bestBid = asPrice(7);
    });
    expect(decode(take, {}).quotes).toMatchObject([{ symbol: 'BTC', bestBid: 7 }]);
  });
});

describe('an amount that a row states in contracts and in base units', () => {
  const names = { contracts: 'lots', base: 'coins' };
  const take = quotes({ openInterest: amount(publishedFixture.openInterest, names) });
  const decodeLots = (wire: object) => {
    const out = emptyDecoded();
    const units = { multiplier: 1, perContract: 10 };
    take({ wire: { ...wire }, symbol: 'BTC', units, context: contextOf() }, out);
    return out;
  };

  it('unreadable base units: taken from the contracts, and counted', () => {
    const { quotes: found, rejects } = decodeLots({ lots: '5', coins: 'x' });
    expect(found).toEqual([{ symbol: 'BTC', openInterestBase: 50 }]);
    expect(rejects).toEqual([{ symbol: 'BTC', reason: 'malformed', detail: 'openInterestBase' }]);
  });

  it.each([{ lots: '5' }, { lots: '5', coins: null }, { lots: '5', coins: '' }])(
    'is no fault where %j states contracts alone',
    (row) => {
      expect(decodeLots(row)).toMatchObject({ quotes: [{ openInterestBase: 50 }], rejects: [] });
    },
  );
});
