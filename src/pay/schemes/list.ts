import type { SchemeFormat, SchemeOffer } from '../scheme.ts';
import type { SchemeEntry } from './entry.ts';
import { exact } from './exact/entry.ts';

/**
 * Every scheme of the service, in the order in which a challenge offers them. `exact` is the first: common clients take the
 * first entry that they know.
 */
export const SCHEMES: readonly SchemeEntry[] = [exact];

/** How a ledger keeps the payments of each. */
export const FORMATS: readonly SchemeFormat[] = SCHEMES.map(({ format }) => format);

/** What a challenge and the catalog say of each. */
export const OFFERS: readonly SchemeOffer[] = SCHEMES.map(({ offer }) => offer);
