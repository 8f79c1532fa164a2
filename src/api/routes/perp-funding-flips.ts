import Type from 'typebox';
import { fundingFlips } from '../../analytics/funding-flips.ts';
import { selectAsset, venueIds } from '../../analytics/select.ts';
import { ok } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-funding-flips.json' with { type: 'json' };
import { fromStore, nothingKnown, pastFacts, readerOf } from '../past.ts';
import { readAsOf } from '../request/window.ts';
import {
  canonicalIdName,
  integer,
  number,
  oneOf,
  text,
  tickerName,
  tickerParameter,
  timestamp,
  venueName,
} from '../schema.ts';
import { asOfParameter, hoursName, hoursParameter } from '../schema-past.ts';

const HOUR_MS = 3_600_000;

export const perpFundingFlips = defineRoute({
  id: 'perp-funding-flips',
  path: '/v1/perp/funding-flips',
  sale: 'paid',
  summary: 'Changes of sign of funding',
  description:
    'Every change of sign of a ticker’s funding rate on each venue within the last hours (24 by default, 168 at most): venue, hour, rate before and after, direction. Flips are reported, not judged as lasting or passing.',
  tags: ['funding-rate', 'history', 'flips'],
  freshness: 'past',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({
    ticker: tickerParameter,
    hours: hoursParameter('Hours to look back'),
    as_of: asOfParameter,
  }),
  output: Type.Object({
    ticker: tickerName,
    canonical_id: canonicalIdName,
    hours: hoursName,
    flips_count: integer('Flips found'),
    venues_with_flips: integer('Venues with at least one'),
    flips: Type.Array(
      Type.Object({
        venue: venueName,
        hour: timestamp('Start of the hour that ended with the new sign'),
        rate_before: number('Last rate of the other sign'),
        rate_after: number('Rate at the end of the hour'),
        direction: oneOf(['positive_to_negative', 'negative_to_positive'], {
          description: 'From which sign to which',
        }),
      }),
    ),
    methodology: text('How hours are compared'),
  }),
  example: { request: '/v1/perp/funding-flips?ticker=XRP&hours=12', answer: example },
  resolve: ({ ticker, hours = 24, as_of: text }, { market, clock }) => {
    const asset = selectAsset(market, { ticker });
    if (!asset.ok) return asset;
    const asOf = readAsOf(text, clock.now());
    if (!asOf.ok) return asOf;
    const { canonicalId, listedBy } = asset.value;
    const now = asOf.value ?? clock.now();
    const from = asMs((Math.floor(now / HOUR_MS) - hours) * HOUR_MS);
    const question = {
      ticker: asset.value.ticker,
      canonicalId,
      hours,
      from,
      listedBy: venueIds(listedBy),
    };
    return ok({ question, to: asMs((Math.floor(now / HOUR_MS) + 1) * HOUR_MS), asOf: asOf.value });
  },
  answer: async ({ question, to, asOf }, services) => {
    const reader = readerOf(services);
    // One hour more: the first one has to be compared with something.
    const scope = { canonicalId: question.canonicalId, from: asMs(question.from - HOUR_MS), to, asOf };
    const hours = fromStore(await reader.buckets(scope, { measures: ['rate'], lastRate: true }, HOUR_MS));
    if (!hours.ok) return hours;
    if (hours.value.length === 0) return nothingKnown(reader, scope, 'rate', 'funding rate');
    return pastFacts(fundingFlips(question, hours.value));
  },
});
