import type { Published, PublishedAmount } from './amount.ts';

const stated = (field: string, unit: PublishedAmount['unit']): PublishedAmount => ({
  field,
  unit,
  sides: 'one',
  evidence: 'made for tests',
  date: '2026-11',
  confidence: 'high',
});

/** A venue that publishes open interest in base units and volume in the quote currency, each contract once. */
export const publishedFixture: Published = {
  openInterest: stated('tickers `openInterest`', 'base'),
  volume: stated('tickers `turnover`', 'quote'),
  verified: { version: 'v1', date: '2026-11-22', source: 'made for tests' },
};
