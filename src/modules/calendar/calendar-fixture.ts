import { asHours, asMs } from '../../domain/units.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { ContractFacts, WholeList } from './venue-memory.ts';

const FIRST_AT = Date.UTC(2026, 9, 20, 12);

/** Receipt of a list by its number; lists come every five minutes. */
export const listTime = (index: number) => asMs(FIRST_AT + index * 5 * MINUTE_MS);

/** A contract of an asset of its own. */
export const makeFacts = (base: string, more: Partial<ContractFacts> = {}): ContractFacts => ({
  symbol: `${base}USDT`,
  base,
  ticker: base,
  canonicalId: `crypto:${base}`,
  quote: 'USDT',
  intervalHours: asHours(8),
  ...more,
});

/** A whole list of these contracts, by its number. */
export const makeList = (
  index: number,
  contracts: readonly ContractFacts[],
  more: Partial<WholeList> = {},
): WholeList => ({
  venue: 'binance',
  at: listTime(index),
  contracts,
  halted: new Set(),
  announced: [],
  ...more,
});
