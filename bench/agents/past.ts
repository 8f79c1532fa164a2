import { DAY_MS } from '../../src/runtime/duration.ts';

/** Swings once a day, as the example's past does (test/api/example-history.ts). */
const swing = (at: number): number => Math.sin((at / DAY_MS) * 2 * Math.PI);

/** The rate of the past as a share of the present one. */
export const paidShare = (at: number): number => 0.2 + swing(at);

/** Open interest of the past as a share of the present one. */
export const interestShare = (at: number): number => 1 + 0.01 * swing(at);
