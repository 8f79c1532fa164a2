import { everyNetwork } from '../config.ts';
import type { SchemeFormat, SchemeOffer } from '../scheme.ts';
import { batchSettlement } from './batch-settlement/entry.ts';
import type { Offering, SchemeEntry } from './entry.ts';
import { exact } from './exact/entry.ts';

/**
 * Every scheme of the service, in the order in which a challenge offers them. `exact` is the first: common clients take the
 * first entry that they know.
 */
export const SCHEMES: readonly SchemeEntry[] = [exact, batchSettlement];

/** The form of the payments of each in a ledger. */
export const FORMATS: readonly SchemeFormat[] = SCHEMES.map(({ format }) => format);

/** Each that is offered, in challenges and in the catalog: `exact` on every network before the next scheme. */
export const offersOf = (config: Offering): readonly SchemeOffer[] =>
  SCHEMES.flatMap(({ offer }) => everyNetwork(config).flatMap((network) => offer(network) ?? []));
