import { STALE_VENUE, type TruthApi } from './truth-api.ts';

const REFERENCES = ['crypto:BTC', 'crypto:ETH', 'crypto:SOL'];

/**
 * The value of quote currencies in USDT, straight from the world: per venue and reference asset the mark of the
 * USDT contract over the mark of the other one, and the median of these. Dollars stand alone: no venue ties
 * them to a coin.
 */
export function trueRates({ truth }: TruthApi): ReadonlyMap<string, number> {
  const samples = new Map<string, number[]>();
  const listed = truth.contracts.filter(
    ({ venue, canonicalId }) => venue !== STALE_VENUE && REFERENCES.includes(canonicalId),
  );
  for (const one of listed) {
    const inTether = listed.find(
      ({ venue, canonicalId, quote }) =>
        venue === one.venue && canonicalId === one.canonicalId && quote === 'USDT',
    );
    if (inTether === undefined || one.quote === 'USDT') continue;
    samples.set(one.quote, [...(samples.get(one.quote) ?? []), inTether.mark / one.mark]);
  }
  const rates = new Map([['USDT', 1]]);
  for (const [quote, values] of samples) {
    const sorted = [...values].sort((a, b) => a - b);
    const half = sorted.length >> 1;
    const upper = sorted[half] ?? Number.NaN;
    rates.set(quote, sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2);
  }
  return rates;
}
