import type { Static } from 'typebox';
import { storedNote } from '../domain/amount.ts';
import type { SeriesBucket } from '../domain/series.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import { nullable, number } from './answer/schema.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-oi-history.json' with { type: 'json' };
import { answersAsOf } from './history/as-of.ts';
import {
  findValueHistory,
  meansOf,
  storedHistory,
  type ValueHistoryQuestion,
  valueHistoryQuery,
  valueHistorySchema,
} from './history/value-history.ts';

const answer = valueHistorySchema({
  value: number('Mean, units of the base asset'),
  value_usd: nullable(number('Mean notional, US dollars')),
});

export const perpOiHistory = answersAsOf(
  defineProduct({
    id: 'perp-oi-history',
    path: '/v1/perp/oi-history',
    access: 'paid',
    summary: 'Open-interest history on a venue',
    description:
      'Open interest of one ticker on one venue over time, in buckets of 1 hour (30 days at most), 4 hours (60) or a day (90): mean in units of the base asset and in US dollars, with the number of samples.',
    tags: ['open-interest', 'history'],
    dependsOn: 'history',
    revisedAt: '2026-11-26T22:00:00.000Z',
    query: valueHistoryQuery,
    answer,
    example: {
      request:
        '/v1/perp/oi-history?ticker=BTC&venue=binance&aggr=4h&from=2026-11-20T08:00:00Z&to=2026-11-20T16:00:00Z',
      answer: example,
    },
    find: findValueHistory,
    compute: (asked, ports) =>
      storedHistory(asked, ports, ['interest', 'interestUsd'], 'open interest', oiHistory),
  }),
);

const NOTE =
  'value is the mean open interest of the bucket in units of the base asset, value_usd its mean notional in US dollars.';

/** Mean open interest by bucket, base units and US dollars. */
export function oiHistory(
  question: ValueHistoryQuestion,
  buckets: readonly SeriesBucket[],
): ProductAnswer<Static<typeof answer>> {
  const { openInterest, historicalOpenInterest } = question.published;
  const note = `${NOTE} ${storedNote(openInterest, historicalOpenInterest)}`;
  return meansOf(question, buckets, note, ({ interest, interestUsd }) =>
    interest === undefined
      ? undefined
      : { value: interest.mean, value_usd: interestUsd?.mean ?? null, samples: interest.samples },
  );
}
