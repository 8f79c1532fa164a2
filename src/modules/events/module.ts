import type { Module } from '../../host/module.ts';

/** Liquidations and trades of the venues: recorded frames and answers are read. */
export const events: Module = {
  id: 'events',
  recorded: {
    liquidations: async () => (await import('./recorded.ts')).RECORDED_LIQUIDATIONS,
    trades: async () => (await import('./recorded.ts')).RECORDED_TRADES,
    'taker-bars': async () => (await import('./recorded-bars.ts')).RECORDED_BARS,
  },
};
