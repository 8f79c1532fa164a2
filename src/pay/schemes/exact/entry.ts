import type { SchemeEntry } from '../entry.ts';
import { EXACT_FORMAT } from './format.ts';
import { EXACT_OFFER } from './offer.ts';

/** The scheme `exact`. */
export const exact: SchemeEntry = {
  offer: () => EXACT_OFFER,
  format: EXACT_FORMAT,
  open: async (options) => (await import('./open.ts')).openExact(options),
};
