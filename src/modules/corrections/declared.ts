import { HOUR_MS } from '../../runtime/duration.ts';
import type { CorrectionTerms, Metric } from './correction.ts';

const TWICE = 'long and short positions were both counted';
const BOTH_SIDES = 'what was bought and what was sold were both counted';

const halved = (metric: Metric, reason: string, venues: readonly string[]): readonly CorrectionTerms[] =>
  venues.map((venue) => ({
    id: `2026-11 ${metric} ${venue}`,
    venue,
    metric,
    factor: 0.5,
    reason,
  }));

/**
 * Errors in the data that earlier builds stored. Each is noted once in every store, for what it held when a
 * build that knows it first ran. Only ever added to: an id that is taken stays with its terms.
 */
export const DECLARED: readonly CorrectionTerms[] = [
  ...halved('open_interest', TWICE, [
    'hyperliquid',
    'hyperliquid-*',
    'backpack',
    'paradex',
    'pacifica',
    'nado',
    'derive',
  ]),
  ...halved('volume_24h', BOTH_SIDES, ['htx', 'pacifica', 'extended']),
  {
    id: '2026-11 volume_24h hibachi',
    venue: 'hibachi',
    metric: 'volume_24h',
    factor: undefined,
    reason: 'an amount in US dollars was taken for base units',
  },
  {
    id: '2026-11 funding_rate backfilled',
    venue: '*',
    metric: 'funding_rate',
    origin: 'backfilled',
    factor: undefined,
    reason: 'a payment stood in the hours before it, when its rate was not known yet',
  },
  // No earlier build asked for more than 400 days, and since 2022-09-30 every period has an hour.
  {
    id: '2026-11 payment_time kraken',
    venue: 'kraken',
    metric: 'payment_time',
    factor: undefined,
    shiftMs: HOUR_MS,
    reason: 'a rate stood at the beginning of the hour at whose end it was paid',
  },
];
