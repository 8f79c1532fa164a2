import { MINUTE_MS } from '../runtime/duration.ts';

/** At a settlement the mean behind a rate begins again, and is volatile for some minutes. */
export const SETTLING_MS = 10 * MINUTE_MS;
