import { KNOWN_VENUES } from '../../../src/venues/registry.ts';
import type { CcxtReader } from '../reading.ts';
import { DEXES } from './dexes.ts';
import { FIRST_CEXES } from './first-cexes.ts';
import { FIRST_DEXES } from './first-dexes.ts';
import { MORE_CEXES } from './more-cexes.ts';

/** ccxt's reading of every venue that it has. */
export const READERS: readonly CcxtReader[] = [...FIRST_CEXES, ...MORE_CEXES, ...FIRST_DEXES, ...DEXES];

/** Venues of ours without a reader: ccxt does not have them. */
export const UNKNOWN_TO_CCXT: readonly string[] = KNOWN_VENUES.map(({ id }) => id).filter(
  (id) => !READERS.some(({ venue }) => venue === id),
);
