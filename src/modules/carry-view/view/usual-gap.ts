import type { PerpCashCarryAnswer } from '../../../../packages/client/src/routes.ts';

type Pair = PerpCashCarryAnswer['pairs'][number];

/** Days of the usual gap that a pair's costs are counted from. */
export const USUAL_DAYS = 7;

/** The usual gap of a pair. */
export const usualOf = ({
  usual_gap: usual,
}: Pick<Pair, 'usual_gap'>): Pair['usual_gap'][number] | undefined =>
  usual.find(({ days }) => days === USUAL_DAYS);
