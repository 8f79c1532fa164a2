import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

const minutes = (name: string, usd: string) => ({
  path: `/v1/stream/${name}`,
  usd,
  query: {
    topics: { type: 'string' as const },
    symbol: { type: 'string' as const },
    venues: { type: 'string' as const },
    exclude: { type: 'string' as const },
    quote: { type: 'string' as const },
    size_usd: { type: 'integer' as const },
    extends: { type: 'string' as const },
  },
  decided: {
    id: 'string',
    secret: 'string',
    selection: {
      topics: ['string'],
      'symbol?': ['string'],
      'assets?': ['string'],
      'venues?': ['string'],
      'exclude?': ['string'],
      'quote?': ['string'],
      'size_usd?': 'integer',
      uses: 'integer',
    },
    minutes: 'integer',
    read: 'string',
    extend: 'string',
    note: 'string',
  } as const,
});

export const promises: ModulePromises = {
  endpoints: [
    minutes('minute', '0.001'),
    minutes('ten-minutes', '0.01'),
    minutes('hour', '0.05'),
    minutes('day', '1.00'),
  ],
  documents: ['/v1/streams/{id}'],
  mistakes: [
    [
      '/v1/stream/minute?symbol=BTC&venue=binance',
      'unknown_parameter',
      '/v1/stream/minute?symbol=BTC&venues=binance',
    ],
    [
      '/v1/stream/hour?symbol=BTC&venues=binanse',
      'unknown_venue',
      '/v1/stream/hour?symbol=BTC&venues=binance',
    ],
  ],
};
