import { oiHistory } from '../../analytics/value-history.ts';
import example from '../examples/perp-oi-history.json' with { type: 'json' };
import { nullable, number } from '../schema.ts';
import { valueRoute } from './value-route.ts';

export const perpOiHistory = valueRoute({
  id: 'perp-oi-history',
  path: '/v1/perp/oi-history',
  summary: 'Open-interest history on a venue',
  description:
    'Open interest of one ticker on one venue over time, in buckets of 1 hour (30 days at most), 4 hours (60) or a day (90): mean in units of the base asset and in US dollars, with the number of samples.',
  tags: ['open-interest', 'history'],
  revisedAt: '2026-11-21T09:00:00.000Z',
  measures: ['interest', 'interestUsd'],
  name: 'open interest',
  value: {
    value: number('Mean, units of the base asset'),
    value_usd: nullable(number('Mean notional, US dollars')),
  },
  history: oiHistory,
  example: {
    request:
      '/v1/perp/oi-history?ticker=BTC&venue=binance&aggr=4h&from=2026-11-20T08:00:00Z&to=2026-11-20T16:00:00Z',
    answer: example,
  },
});
