import { asPrice } from '../../src/domain/units.ts';
import type { MarketRow } from '../../src/market/view.ts';
import { EXAMPLE_VENUES, exampleRows } from '../api/example-market.ts';
import { createFakeMarket, type FakeMarket } from '../api/fake-market.ts';

/** A row with a best bid and ask about its mark, which a scan of carry reads. */
export const quotedRow = (row: MarketRow): MarketRow =>
  row.markPrice === undefined
    ? row
    : {
        ...row,
        bestBid: asPrice(row.markPrice * 0.99999),
        bestAsk: asPrice(row.markPrice * 1.00001),
      };

/** The example market with a best bid and ask in its rows. */
export function quotedMarket(): FakeMarket {
  const rows = exampleRows().map(quotedRow);
  const market = createFakeMarket(EXAMPLE_VENUES, rows);
  market.remember(rows);
  return market;
}
