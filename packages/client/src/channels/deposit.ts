import { least, most } from '../usd.ts';

/**
 * Gas of a channel that is opened, claimed once and settled, over that of one payment of `exact`: 294,156 and 75,174 on the
 * demo's chain. A channel that pays for fewer calls costs more than it saves.
 */
const WORTH_CALLS = 4n;
/** Prices in a deposit where the seller proposes nothing. */
const USUAL_CALLS = 20n;

export interface DepositNeed {
  /** Atomic units, as all. */
  readonly price: bigint;
  /** Missing in the channel for this call. */
  readonly missing: bigint;
  /** The seller's proposal. */
  readonly proposed: bigint | undefined;
  /** Most that may be deposited now. */
  readonly room: bigint;
  readonly isFirst: boolean;
}

/**
 * The deposit that is worth its transaction: as the seller proposes, and within what is allowed. Undefined where that is too
 * little for this call, or for so few calls that `exact` costs less.
 */
export function depositOf({ price, missing, proposed, room, isFirst }: DepositNeed): bigint | undefined {
  const target = proposed ?? USUAL_CALLS * price;
  const amount = least(most(target, missing), room);
  if (amount < missing || (isFirst && amount < WORTH_CALLS * price)) return undefined;
  return amount;
}
