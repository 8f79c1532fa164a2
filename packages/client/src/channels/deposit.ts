import { least, most } from '../usd.ts';

/**
 * Gas of a channel that is opened, claimed once and settled, over that of one payment of `exact`: 294,156 and 75,174 on the
 * demo's chain. A channel that pays for fewer calls costs more than it saves.
 */
const WORTH_CALLS = 4n;
/** Prices in a deposit where the seller proposes nothing. */
const USUAL_CALLS = 20n;
/** Of a proposal that is for more calls than these no more is taken at first: the seller does not know how many come. */
const MOST_PROPOSED_CALLS = 100n;

export interface DepositNeed {
  /** Atomic units, as all. */
  readonly price: bigint;
  /** Missing in the channel for this call. */
  readonly missing: bigint;
  /** The seller's proposal. */
  readonly proposed: bigint | undefined;
  /** Calls that are still to come, as far as the caller knows. */
  readonly calls: bigint;
  /** Prices of what was bought by the channel. */
  readonly charged: bigint;
  /** Most that may be deposited now. */
  readonly room: bigint;
  readonly isFirst: boolean;
}

/**
 * The deposit that is worth its transaction: as the seller proposes up to a hundred calls, for the calls that are known to come, or for as much again
 * as was bought so far, whichever is the most, within what is allowed. Undefined where that is too little for this call, or for
 * so few calls that `exact` costs less.
 */
export function depositOf(need: DepositNeed): bigint | undefined {
  const { price, missing, proposed, calls, charged, room, isFirst } = need;
  const advised = least(proposed ?? USUAL_CALLS * price, MOST_PROPOSED_CALLS * price);
  const target = most(advised, calls * price, charged);
  const amount = least(most(target, missing), room);
  if (amount < missing || (isFirst && amount < WORTH_CALLS * price)) return undefined;
  return amount;
}
