import { volumeHistory } from '../../analytics/value-history.ts';
import example from '../examples/perp-volume-history.json' with { type: 'json' };
import { number } from '../schema.ts';
import { valueRoute } from './value-route.ts';

export const perpVolumeHistory = valueRoute({
  id: 'perp-volume-history',
  path: '/v1/perp/volume-history',
  summary: 'Volume history on a venue',
  description:
    'Rolling 24-hour volume of one ticker on one venue over time, in buckets of 1 hour (30 days at most), 4 hours (60) or a day (90): its mean in US dollars, with the number of samples.',
  tags: ['volume', 'history'],
  revisedAt: '2026-11-21T09:00:00.000Z',
  measures: ['volumeUsd'],
  name: 'volume',
  value: { value: number('Mean of the rolling 24-hour volume, US dollars') },
  history: volumeHistory,
  example: {
    request:
      '/v1/perp/volume-history?ticker=BTC&venue=binance&aggr=4h&from=2026-11-20T08:00:00Z&to=2026-11-20T16:00:00Z',
    answer: example,
  },
});
