import { describe, expect, it } from 'vitest';
import { FAULT_REASONS } from '../../src/domain/reject.ts';
import type { SpotDecoded } from '../../src/modules/spot/spot-rows.ts';
import { SPOT_SAMPLES, spotCallFor, spotContext, spotSamples } from './recordings.ts';

const samples = spotSamples();
const faults: ReadonlySet<string> = new Set(FAULT_REASONS);
const RELATIVE = 1e-6;

const decodedOf = ({ venue, url, payload }: (typeof samples)[number]): SpotDecoded | undefined =>
  spotCallFor(venue, url)?.decode(payload, spotContext(url));

/** The numbers that a recording states of its first row, as they are named there. */
function figuresOf({ tickers, borrow, books, markets }: SpotDecoded): Readonly<Record<string, unknown>> {
  const [ticker] = tickers;
  const [rate] = borrow;
  const [book] = books;
  return {
    bid: ticker?.bestBid ?? book?.bids[0]?.[0],
    ask: ticker?.bestAsk ?? book?.asks[0]?.[0],
    bestBidOfThose: book?.bids[0]?.[0],
    baseVolume: ticker?.volume24hBase,
    quoteVolume: ticker?.volume24hQuote,
    takerFee: markets[0]?.takerFeeBps,
    borrowHourly: rate?.ratePerHour,
    borrowApr: rate?.ratePerHour === undefined ? undefined : rate.ratePerHour * 8760,
    limit: rate?.limit,
    time: rate?.venueTime,
    available: rate?.available,
  };
}

describe.skipIf(samples.length === 0)(`recorded spot answers (at ${SPOT_SAMPLES})`, () => {
  it.each(samples.filter(({ venue, url }) => spotCallFor(venue, url) !== undefined))(
    '$venue $file: rows, and no fault',
    (sample) => {
      const out = decodedOf(sample);
      expect(out?.rejects.filter(({ reason }) => faults.has(reason))).toEqual([]);
      const { markets = [], tickers = [], borrow = [], books = [], rejects = [] } = out ?? {};
      expect(markets.length + tickers.length + borrow.length + books.length + rejects.length).toBeGreaterThan(
        0,
      );
    },
  );

  it.each(samples.filter(({ expected }) => expected !== undefined && !('rows' in expected)))(
    '$venue $file: the figures that its source states',
    (sample) => {
      const out = decodedOf(sample);
      if (out === undefined) throw new Error(`${sample.venue}: no call ${sample.url}`);
      const figures = figuresOf(out);
      for (const [name, stated] of Object.entries(sample.expected ?? {})) {
        const found = figures[name];
        if (typeof stated !== 'number' || found === undefined) continue;
        expect(Math.abs(Number(found) - stated), name).toBeLessThanOrEqual(Math.abs(stated) * RELATIVE);
      }
    },
  );
});
