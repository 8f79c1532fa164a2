import type { SchemeEntry } from '../entry.ts';
import { EXACT_FORMAT } from './format.ts';
import { exactOffer } from './offer.ts';

/** The scheme `exact`. */
export const exact: SchemeEntry = {
  offer: ({ seller }) => exactOffer(seller),
  format: EXACT_FORMAT,
  open: async (options) => (await import('./open.ts')).openExact(options),
};
