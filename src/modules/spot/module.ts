import type { Module } from '../../host/module.ts';

/** The spot side of venues of perpetuals: recorded lists, tickers, books and borrow rates are read. */
export const spot: Module = {
  id: 'spot',
  recorded: { spot: async () => (await import('./recorded.ts')).SPOT_RECORDED },
};
