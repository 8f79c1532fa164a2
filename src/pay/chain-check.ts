import type { Port } from '../runtime/port.ts';
import type { ChainWatchState } from './scheme.ts';

/** Findings of the ledger's comparison with the chain; absent where nothing compares them. */
export const CHAIN_CHECK: Port<() => ChainWatchState | undefined> = {
  name: 'chain-check',
  absent: () => undefined,
};
