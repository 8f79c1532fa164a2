import { describe, expect, test } from 'vitest';
import type { BookView } from '../market/books/book-view.ts';
import { makeMarket } from '../market/market-fixture.ts';
import { makeRow } from '../market/row-fixture.ts';
import { made, makeAsset, makePair } from './asset-fixture.ts';
import { pairQuote } from './books/book-source.ts';
import { fundingRow } from './funding/funding-row.ts';
import { arbitragePrice } from './perp-arbitrage-price.ts';
import { basis } from './perp-basis.ts';
import { carry } from './perp-carry.ts';
import { snapshot } from './perp-snapshot.ts';
import { isUsable, nothingUsable } from './rows/select.ts';

const OPEN = { venue: 'binance', sourceId: 1 };
const CLOSED = { venue: 'extended', sourceId: 2, mark: 103_000, open: false, bid: undefined, ask: undefined };
const asset = makeAsset([OPEN, CLOSED]);
const shown = (items: readonly { readonly venue: string; readonly market_open?: boolean }[]) =>
  items.map(({ venue, market_open: open }) => [venue, open]);

describe('a market in closed hours', () => {
  const both = [
    ['binance', undefined],
    ['extended', false],
  ];

  test('lists of an asset: shows it with market_open', () => {
    expect(fundingRow(makeRow(CLOSED), makeRow().updatedAt)).toMatchObject({ market_open: false });
    expect(shown(made(carry(asset)).body.items)).toEqual(both);
    expect(shown(made(basis(asset)).body.items)).toEqual(both);
    const { body } = made(snapshot(asset, { now: makeRow().updatedAt }));
    expect(shown(body.venues)).toEqual(both);
    expect(body.volume_weighted_mark_price).toBe(100_000);
  });

  test('basis of it: is not reliable', () => {
    expect(made(basis(asset)).body.items[1]?.basis_reliable).toBe(false);
  });

  test('snapshot of it: asks for no book', () => {
    const asked: string[] = [];
    snapshot(asset, { now: makeRow().updatedAt, book: ({ venue }) => void asked.push(venue) });
    expect(asked).toEqual(['binance']);
  });

  test('scans and comparisons: leave it out', () => {
    expect([makeRow(OPEN), makeRow(CLOSED)].map(isUsable)).toEqual([true, false]);
    const fixture = makeMarket();
    for (const [venue, mark] of [
      ['binance', 100],
      ['bybit', 100.1],
      ['extended', 102],
    ] as const) {
      fixture.list(venue, ['BTC']);
      const quote = { symbol: 'BTCUSDT', mark, volumeUsd: 1e6, rate: 1e-4, interval: 8 };
      fixture.quote(venue, { ...quote, ...(venue === 'extended' && { open: false }) });
    }
    fixture.pass(0);
    const text = JSON.stringify(
      made(arbitragePrice(fixture.market.view, { min_diff_bps: 0, limit: 50 })).body,
    );
    expect(text).toContain('bybit');
    expect(text).not.toContain('extended');
  });

  test('its book: none, with the reason', () => {
    const books: BookView = { quote: () => undefined } as never;
    const { row, ...pair } = makePair(CLOSED);
    const found = pairQuote({ ...pair, row: { ...row, opensAt: row.updatedAt } }, books);
    expect(found).toMatchObject({ ok: false, error: { code: 'no_data' } });
    expect(JSON.stringify(found)).toMatch(/closed until 2026-/);
  });

  test('all markets of an asset are closed: says so', () => {
    const { code, detail } = nothingUsable(makeAsset([CLOSED]), 'row');
    expect([code, detail]).toEqual(['no_data', expect.stringMatching(/closed/)]);
  });
});
