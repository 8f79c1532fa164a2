import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asMs } from '../../domain/units.ts';
import { ladder, makeBooks } from '../../market/books/book-fixture.ts';
import type { RowSketch } from '../../market/row-fixture.ts';
import { makeAsset } from '../asset-fixture.ts';
import { assetBooks, statedBookCoverage } from './asset-books.ts';

const NOW = asMs(1_800_000_000_000);
const symbol = 'BTCUSDT';

const bookOf = (venue: string) => ({
  venue,
  symbol,
  bids: ladder(99.9, -0.1, 100, 5),
  asks: ladder(100.1, 0.1, 100, 5),
});

/** An asset on venues with so much open interest each, and books of some. */
function found(rows: readonly RowSketch[], withBook: readonly string[]) {
  const asset = makeAsset(rows.map((row) => ({ symbol, mark: 100, ...row })));
  return assetBooks(asset, makeBooks(NOW, withBook.map(bookOf)).view);
}

describe('books of an asset over its venues', () => {
  test('books of less than half of the interest: 503 with a time to ask again', () => {
    const rows = [{ interestBase: 51 }, { interestBase: 25 }, { interestBase: 24 }];
    expect(found(rows, ['v2', 'v3'])).toMatchObject({
      ok: false,
      error: { code: 'not_ready', retryAfterSeconds: 2, detail: expect.stringContaining('49 %') },
    });
    expect(found(rows, ['v1'])).toMatchObject({ ok: true });
  });

  test('a large venue that is late: its open interest still counts as missing', () => {
    const late = { interestBase: 60, fresh: false, reason: 'stale' } as const;
    expect(found([late, { interestBase: 40 }], ['v2'])).toMatchObject({ error: { code: 'not_ready' } });
  });

  test('a large venue without a row: what it stated last counts as missing', () => {
    const asset = makeAsset([{ symbol, mark: 100, interestBase: 40 }]);
    const books = makeBooks(NOW, [bookOf('v1')]).view;
    const stating = (usd: number) => ({ ...asset, statedInterest: () => new Map([['v2', usd]]) });
    expect(assetBooks(stating(3_999), books)).toMatchObject({ ok: true });
    expect(assetBooks(stating(4_001), books)).toMatchObject({ ok: false, error: { code: 'not_ready' } });
    const infos = { v2: { source: 'ccxt' } } as const;
    const byCcxt = { ...makeAsset([{ symbol, mark: 100, interestBase: 40 }], infos) };
    const unread = { ...byCcxt, statedInterest: () => new Map([['v2', 1e9]]) };
    expect(assetBooks(unread, books)).toMatchObject({ ok: true });
  });

  test('a market that is not the asset’s: it does not count', () => {
    const other = { interestBase: 1e6, reason: 'identity_uncertain' } as const;
    expect(found([other, { interestBase: 40 }], ['v2'])).toMatchObject({ ok: true });
  });

  test('open interest that nobody states: venues are counted', () => {
    const rows = Array.from({ length: 4 }, () => ({ interestBase: undefined }));
    expect(found(rows, ['v1'])).toMatchObject({ ok: false });
    expect(found(rows, ['v1', 'v2'])).toMatchObject({ ok: true });
  });

  test('any venues: sold where half of the interest has a book, all named', () => {
    const venue = fc.record({
      interest: fc.integer({ min: 1, max: 1000 }),
      hasBook: fc.boolean(),
      isFresh: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(venue, { minLength: 1, maxLength: 8 }), (venues) => {
        const rows = venues.map(({ interest, isFresh }) => ({
          interestBase: interest,
          fresh: isFresh,
          ...(!isFresh && { reason: 'stale' as const }),
        }));
        const named = venues.map((venue, at) => ({ ...venue, id: `v${at + 1}` }));
        const books = named.flatMap(({ id, hasBook }) => (hasBook ? [id] : []));
        const present = named.filter(({ hasBook, isFresh }) => hasBook && isFresh);
        const sum = (list: typeof venues): number => list.reduce((all, { interest }) => all + interest, 0);
        const result = found(rows, books);
        expect(result.ok).toBe(present.length > 0 && sum(present) * 2 >= sum(venues));
        if (!result.ok) return;
        const stated = statedBookCoverage(result.value);
        expect(stated.venues_listed).toBe(venues.length);
        expect(stated.venues_considered + stated.venues_missing.length).toBe(stated.venues_listed);
        expect(stated.books_pending).toBe(named.filter(({ hasBook, isFresh }) => isFresh && !hasBook).length);
        for (const { id } of present) expect(stated.venues_missing).not.toContain(id);
      }),
      { numRuns: 200 },
    );
  });
});
