import { describe, expect, it } from 'vitest';
import { lighterAnswers } from './answers/lighter.ts';
import { spotCallFor, spotContext } from './recordings.ts';

const [list, book] = lighterAnswers;

function read(url = '', payload: unknown = book?.payload, markets = spotContext('').markets) {
  const call = spotCallFor('lighter', url);
  if (call === undefined) throw new Error(`no call ${url}`);
  return call.decode(payload, { ...spotContext(url), markets });
}

const { markets } = read(list?.url, list?.payload);
const known = new Map(markets.map((market) => [market.symbol, market]));

describe("books of lighter's spot markets", () => {
  it('orders of one price: one level of what is left of them', () => {
    expect(read(book?.url, book?.payload, known)).toMatchObject({
      books: [
        {
          symbol: 'ETH/USDC',
          kind: 'snapshot',
          bids: [
            [2500, 0.75],
            [2499.9, 4],
          ],
          asks: [
            [2500.2, 0.75],
            [2500.4, 1],
          ],
        },
      ],
      rejects: [],
    });
  });

  it('no list of markets yet: the number stands for the symbol', () => {
    expect(read(book?.url).books).toMatchObject([{ symbol: '2048' }]);
  });

  it('a market that the list does not have: a reject', () => {
    const { books, rejects } = read('/api/v1/orderBookOrders?market_id=2099&limit=250', book?.payload, known);
    expect([books, rejects]).toEqual([[], [{ symbol: '2099', reason: 'not_listed' }]]);
  });

  it('a number of a perpetual: no spot market', () => {
    const { books, rejects } = read('/api/v1/orderBookOrders?market_id=0&limit=250');
    expect([books, rejects]).toEqual([[], [{ symbol: '0', reason: 'perpetual' }]]);
  });

  it('a side that is null: empty; one that is missing: a reject', () => {
    const empty = { code: 200, asks: null, bids: [] };
    expect(read(book?.url, empty, known).books).toMatchObject([{ bids: [], asks: [] }]);
    const without = read(book?.url, { code: 200, bids: [] }, known);
    expect(without.books).toEqual([]);
    expect(without.rejects).toMatchObject([{ symbol: 'ETH/USDC', reason: 'malformed', detail: 'asks' }]);
  });

  it('the list: states the number that books are asked for by', () => {
    expect(markets).toMatchObject([{ symbol: 'ETH/USDC', altId: '2048' }]);
  });

  it('a number that no list reaches: a reject, not a market', () => {
    const payload = structuredClone(list?.payload) as { spot_order_book_details: { market_id: number }[] };
    for (const market of payload.spot_order_book_details) market.market_id = 2.048e33;
    const { markets: none, rejects } = read(list?.url, payload);
    expect([none, rejects]).toMatchObject([[], [{ reason: 'malformed' }]]);
  });
});
