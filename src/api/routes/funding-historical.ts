import Type from 'typebox';
import {
  type FundingRow,
  fundingHistorical as history,
  sampledOrSettled,
  sampledRates,
  settledRates,
} from '../../analytics/funding-historical.ts';
import { AGGREGATION_MS, type Aggregation } from '../../analytics/history-window.ts';
import { selectAsset, venueIds } from '../../analytics/select.ts';
import { ok, type Result } from '../../domain/errors.ts';
import type { Scope } from '../../history/queries/scope.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/funding-historical.json' with { type: 'json' };
import { fromStore, historyAnswer, nothingKnown, readerOf } from '../history.ts';
import { days, readHistoryWindow } from '../request/window.ts';
import type { HistoryQueries } from '../route.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  tickerParameter,
} from '../schema.ts';
import {
  aggregationName,
  aggregationParameter,
  asOfParameter,
  bucketStart,
  bucketSymbol,
  bucketVenue,
  fromParameter,
  originName,
  partialBucket,
  toParameter,
  windowEnd,
  windowStart,
} from '../schema-history.ts';

const BASES = ['sampled', 'settled'] as const;
const ASKED_BASES = ['any', ...BASES] as const;
const DEFAULT_DAYS: Readonly<Record<Aggregation, number>> = { '1h': 3, '4h': 7, '1d': 30 };
/** Longest windows, days: samples are kept a month, payments a year and more. */
const CAP_DAYS = { any: 30, sampled: 30, settled: 400 } as const;

export const fundingHistorical = defineRoute({
  id: 'funding-historical',
  path: '/v1/funding/historical',
  access: 'paid',
  summary: 'Funding history per venue',
  description:
    'Funding-rate history of one ticker on every venue, in buckets of 1 hour, 4 hours or a day: mean rate as shown (sampled each minute), or as paid where none was seen (settled), mean mark price and the number of samples; the current bucket is flagged partial. Raw rates, up to 30 days (settled: 400).',
  tags: ['funding-rate', 'history', 'perpetual-futures'],
  freshness: 'history',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({
    ticker: tickerParameter,
    aggr: aggregationParameter,
    from: fromParameter('3 days ago at 1h, 7 at 4h, 30 at 1d'),
    to: toParameter,
    basis: Type.Optional(
      oneOf(ASKED_BASES, {
        description:
          'sampled: rates as shown, only where this service saw them; settled: payments, in the buckets in which they were paid; any: rates as shown, and payments in the buckets of a venue in which none was seen',
        default: 'any',
      }),
    ),
    as_of: asOfParameter,
  }),
  output: Type.Object({
    ticker: tickerName,
    canonical_id: canonicalIdName,
    aggregation: aggregationName,
    window_start: windowStart,
    window_end: windowEnd,
    venues_count: integer('Venues with a bucket', 1),
    buckets: Type.Array(
      Type.Object({
        venue: bucketVenue,
        venue_symbol: bucketSymbol,
        bucket_start: bucketStart,
        avg_funding_rate: number('Mean rate, fraction per interval of the venue'),
        avg_price: nullable(number('Mean mark price')),
        samples: integer('Values that the mean rate is of', 1),
        basis: oneOf(BASES, { description: 'What the values are' }),
        origin: originName,
        partial: partialBucket,
      }),
    ),
    note: text('What the figures are and leave out'),
  }),
  example: {
    request: '/v1/funding/historical?ticker=BTC&aggr=4h&from=2026-11-20T08:00:00Z&to=2026-11-20T16:00:00Z',
    answer: example,
  },
  resolve: (input, { market, clock }) => {
    const asset = selectAsset(market, { ticker: input.ticker });
    if (!asset.ok) return asset;
    const { aggr = '1h', from, to, basis = 'any' } = input;
    const now = clock.now();
    const rule = { capMs: days(CAP_DAYS[basis]), defaultMs: days(DEFAULT_DAYS[aggr]) };
    const parsed = readHistoryWindow({ aggregation: aggr, from, to, asOf: input.as_of }, rule, now);
    if (!parsed.ok) return parsed;
    const { window, asOf } = parsed.value;
    const { ticker, canonicalId, listedBy } = asset.value;
    const question = { ticker, canonicalId, window, listedBy: venueIds(listedBy) };
    return ok({ question, basis, asOf });
  },
  answer: async ({ question, basis, asOf }, services) => {
    const reader = readerOf(services);
    const { canonicalId, window } = question;
    const scope = { canonicalId, from: window.from, to: window.to, asOf };
    const rows = await ratesOf(reader, scope, basis, AGGREGATION_MS[window.aggregation]);
    if (!rows.ok) return rows;
    if (rows.value.length > 0) return historyAnswer(history(question, rows.value));
    if (basis === 'sampled') return nothingKnown(reader, scope, 'rate', 'funding rate as shown');
    return nothingKnown(reader, scope, 'settled', 'funding payment');
  },
});

async function ratesOf(
  reader: HistoryQueries,
  scope: Scope,
  basis: (typeof ASKED_BASES)[number],
  stepMs: number,
): Promise<Result<readonly FundingRow[]>> {
  const [buckets, payments] = await Promise.all([
    basis === 'settled' ? undefined : reader.buckets(scope, { measures: ['rate', 'mark'] }, stepMs),
    basis === 'sampled' ? undefined : reader.settled(scope, stepMs),
  ]);
  const shown = buckets === undefined ? ok([]) : fromStore(buckets);
  if (!shown.ok) return shown;
  const paid = payments === undefined ? ok([]) : fromStore(payments);
  return paid.ok ? ok(sampledOrSettled(sampledRates(shown.value), settledRates(paid.value))) : paid;
}
