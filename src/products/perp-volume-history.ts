import type { Static } from 'typebox';
import { storedNote } from '../domain/amount.ts';
import type { SeriesBucket } from '../domain/series.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import { dollars } from './answer/public-numbers.ts';
import { number } from './answer/schema.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-volume-history.json' with { type: 'json' };
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
  value: number('Mean of the rolling 24-hour volume, US dollars'),
});

export const perpVolumeHistory = answersAsOf(
  defineProduct({
    id: 'perp-volume-history',
    path: '/v1/perp/volume-history',
    access: 'paid',
    summary: 'Volume history on a venue',
    description:
      'Rolling 24-hour volume of one ticker on one venue over time, in buckets of 1 hour (30 days at most), 4 hours (60) or a day (90): its mean in US dollars, with the number of samples.',
    tags: ['volume', 'history'],
    dependsOn: 'history',
    revisedAt: '2026-11-27T09:20:00.000Z',
    query: valueHistoryQuery,
    answer,
    example: {
      request:
        '/v1/perp/volume-history?ticker=BTC&venue=binance&aggr=4h&from=2026-11-20T08:00:00Z&to=2026-11-20T16:00:00Z',
      answer: example,
    },
    find: findValueHistory,
    compute: (asked, ports) => storedHistory(asked, ports, ['volumeUsd'], 'volume', volumeHistory),
  }),
);

const NOTE = 'value is the mean over the bucket of the rolling 24-hour volume, in US dollars.';

/** Mean of the rolling 24 h volume by bucket, US dollars. */
export function volumeHistory(
  question: ValueHistoryQuestion,
  buckets: readonly SeriesBucket[],
): ProductAnswer<Static<typeof answer>> {
  const note = `${NOTE} ${storedNote(question.published.volume)}`;
  return meansOf(question, buckets, note, ({ volumeUsd }) =>
    volumeUsd === undefined ? undefined : { value: dollars(volumeUsd.mean), samples: volumeUsd.samples },
  );
}
