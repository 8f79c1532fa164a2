import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

const CONDITION = {
  kind: 'string',
  product: 'string',
  field: 'string',
  unit: 'string',
  'ticker?': 'string',
  'asset?': 'string',
  'venue?': 'string',
  'above?': 'number',
  'below?': 'number',
  'reset?': 'number',
  for_minutes: 'integer',
  firings: 'integer',
  'hours?': 'integer',
  'days?': 'integer',
  'size_usd?': 'integer',
  'fees?': 'string',
  'webhook?': 'string',
} as const;

const QUERY = {
  ticker: { type: 'string' },
  venue: { type: 'string' },
  above: { type: 'number' },
  below: { type: 'number' },
  reset: { type: 'number' },
  for_minutes: { type: 'integer', default: 0 },
  firings: { type: 'integer', default: 100 },
  hours: { type: 'integer' },
  days: { type: 'integer' },
  size_usd: { type: 'integer' },
  fees: { type: 'string' },
  webhook: { type: 'string' },
} as const;

const STATE = { holds: 'boolean', values: {}, rows_at: 'timestamp', reason: 'string' } as const;

const purchase = (name: string, usd: string) => ({
  path: `/v1/watch/${name}`,
  usd,
  query: { kind: { type: 'string' as const }, ...QUERY, renews: { type: 'string' as const } },
  decided: {
    id: 'string',
    secret: 'string',
    condition: CONDITION,
    state: STATE,
    days: 'integer',
    began_at: 'timestamp',
    ends_at: 'timestamp',
    read: 'string',
    note: 'string',
  } as const,
});

export const promises: ModulePromises = {
  endpoints: [purchase('day', '0.02'), purchase('month', '0.60')],
  documents: ['/v1/watch/check', '/v1/watches/{id}'],
  mistakes: [
    [
      '/v1/watch/day?kind=funding&ticker=BTC&exchange=binance&above=1',
      'unknown_parameter',
      '/v1/watch/day?kind=funding&ticker=BTC&above=1&venue=binance',
    ],
  ],
};
