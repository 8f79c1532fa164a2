import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

const CONDITION = {
  kind: 'string',
  product: 'string',
  field: 'string',
  unit: 'string',
  'ticker?': 'string',
  'asset?': 'string',
  'venues?': 'string',
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
  venues: { type: 'string' },
  above: { type: 'number' },
  below: { type: 'number' },
  reset: { type: 'number' },
  for_minutes: { type: 'integer', minimum: 0, default: 0, maximum: 1440 },
  firings: { type: 'integer', minimum: 1, default: 100, maximum: 1000 },
  hours: { type: 'integer', minimum: 1, maximum: 168 },
  days: { type: 'integer', minimum: 7, maximum: 90 },
  size_usd: { type: 'integer', minimum: 100, maximum: 250000 },
  fees: { type: 'string' },
  webhook: { type: 'string' },
} as const;

const STATE = { holds: 'boolean', values: 'object', rows_at: 'timestamp', reason: 'string' } as const;

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
      '/v1/watch/check?kind=funding&ticker=BTC&exchange=binance&above=1',
      'unknown_parameter',
      '/v1/watch/check?kind=funding&ticker=BTC&venues=binance&above=1',
    ],
  ],
};
