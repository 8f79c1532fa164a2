import type { Module } from '../../host/module.ts';

/** Live rows of chosen assets and venues as events, paid by the minute. */
export const paidStream: Module = {
  id: 'paid-stream',
  products: async () => {
    const [minute, tenMinutes, hour, day, state, { default: prices }] = await Promise.all([
      import('./stream-minute.ts'),
      import('./stream-ten-minutes.ts'),
      import('./stream-hour.ts'),
      import('./stream-day.ts'),
      import('./stream-state.ts'),
      import('./prices.json', { with: { type: 'json' } }),
    ]);
    const name = 'funding_rates';
    return {
      products: [
        {
          product: minute.streamMinute,
          after: 'perp-snapshot',
          tool: { name },
        },
        { product: tenMinutes.streamTenMinutes, after: 'stream-minute', tool: { name } },
        { product: hour.streamHour, after: 'stream-ten-minutes', tool: { name } },
        { product: day.streamDay, after: 'stream-hour', tool: { name } },
        { product: state.streamState, after: 'stream-day' },
      ],
      prices,
    };
  },
  open: async (host) => (await import('./open-paid-stream.ts')).openPaidStreams(host),
};
