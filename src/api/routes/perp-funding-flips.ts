import Type from 'typebox';
import { fundingFlips } from '../../analytics/funding-flips.ts';
import { selectAsset, venueIds } from '../../analytics/select.ts';
import { ok } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-funding-flips.json' with { type: 'json' };
import { fromStore, historyAnswer, nothingKnown, readerOf } from '../history.ts';
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
import { asOfParameter, bucketSymbol, hoursName, hoursParameter, originName } from '../schema-history.ts';

export const perpFundingFlips = defineRoute({
  id: 'perp-funding-flips',
  path: '/v1/perp/funding-flips',
  access: 'paid',
  summary: 'Changes of sign of funding',
  description:
    'Every change of sign of a ticker’s funding rate on each venue within the last hours (24 by default, 168 at most): venue, hour, rate before and after, direction. Flips are reported, not judged as lasting or passing.',
  tags: ['funding-rate', 'history', 'flips'],
  freshness: 'history',
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
        venue_symbol: bucketSymbol,
        hour: timestamp('Start of the hour in which the new sign was seen or paid'),
        rate_before: number('Last rate of the other sign'),
        rate_after: number('Last rate seen in the hour; where none was seen, what was paid in it'),
        direction: oneOf(['positive_to_negative', 'negative_to_positive'], {
          description: 'From which sign to which',
        }),
        at: timestamp('Time of the payment, or of the last sample of the hour'),
        origin: originName,
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
    const [seen, paid] = await Promise.all([
      reader.buckets(scope, { measures: ['rate'], lastRate: true }, HOUR_MS),
      reader.settled(scope, HOUR_MS),
    ]);
    const hours = fromStore(seen);
    if (!hours.ok) return hours;
    const payments = fromStore(paid);
    if (!payments.ok) return payments;
    const answer = fundingFlips(question, hours.value, payments.value);
    return answer.sources.used.length > 0
      ? historyAnswer(answer)
      : nothingKnown(reader, scope, 'rate', 'funding rate');
  },
});
