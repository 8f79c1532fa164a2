import { asMs, type UnixMs } from '../../../domain/units.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../runtime/duration.ts';
import { mayBeLeaving } from './chain-view.ts';
import type { StoredChannel } from './channels.ts';
import { type Channel, owedOf, type SignedTotal } from './lifecycle.ts';

/** When channels are claimed. */
export interface ClaimPolicy {
  /** So much is charged and not claimed, atomic units. */
  readonly amount: bigint;
  /** The oldest sale that is not claimed is so old. */
  readonly ageMs: number;
  /** Nothing was sold by a channel for so long. */
  readonly idleMs: number;
  /**
   * Nothing was sold for so long that the newest voucher is claimed as well. Until then the one before it is: what is claimed
   * can be read by anybody, and a refund is asked for by the newest voucher again.
   */
  readonly lastMs: number;
}

export const DEFAULT_POLICY: ClaimPolicy = {
  amount: 1_000_000n,
  ageMs: DAY_MS,
  idleMs: 60 * MINUTE_MS,
  lastMs: 30 * DAY_MS,
};

/** A channel in a claim. */
export interface DueClaim {
  readonly stored: StoredChannel;
  readonly voucher: SignedTotal;
  /** The part of the voucher's total that is claimed, over the whole life of the channel; atomic units. */
  readonly total: string;
}

/**
 * True for a channel that is claimed as soon as it can be: its buyer has requested its money back, or may have where the node is
 * behind, which does not show that.
 */
export const isLeaving = ({ channel: { chain, config } }: StoredChannel, now: UnixMs): boolean =>
  chain.withdrawAt > 0 || mayBeLeaving(chain, config.withdrawDelay, now);

/** The claim of a channel that is worth a transaction now; undefined where none is. */
export function dueClaim(stored: StoredChannel, policy: ClaimPolicy, now: UnixMs): DueClaim | undefined {
  const { chain, owedSince = now, usedAt = now } = stored.channel;
  const silentMs = now - usedAt;
  if (isLeaving(stored, now)) return wholeClaim(stored);
  const claim = silentMs >= policy.lastMs ? wholeClaim(stored) : formerClaim(stored);
  if (claim === undefined) return undefined;
  const owed = BigInt(claim.total) - BigInt(chain.claimed);
  const isDue = owed >= policy.amount || now - owedSince >= policy.ageMs || silentMs >= policy.idleMs;
  return isDue ? claim : undefined;
}

/**
 * The moment from which on a claim is due, if nothing more is sold; undefined where there is nothing to claim. Of an amount that
 * is worth a transaction it is the last sale, which was the first of that amount or a later one.
 */
export function claimDueAt(stored: StoredChannel, policy: ClaimPolicy): UnixMs | undefined {
  const { chain, owedSince, usedAt } = stored.channel;
  const whole = wholeClaim(stored);
  if (chain.withdrawAt > 0) return whole && asMs(chain.withdrawAt * SECOND_MS);
  const former = formerClaim(stored);
  if (usedAt === undefined || owedSince === undefined) return undefined;
  if (former === undefined) return whole && asMs(usedAt + policy.lastMs);
  const owed = BigInt(former.total) - BigInt(chain.claimed);
  if (owed >= policy.amount) return usedAt;
  return asMs(Math.min(owedSince + policy.ageMs, usedAt + policy.idleMs));
}

/** The claim of all but the last sale, so that the newest voucher stays between buyer and seller. */
function formerClaim(stored: StoredChannel): DueClaim | undefined {
  const { former, chain } = stored.channel;
  const isOwed = former !== undefined && BigInt(former.total) > BigInt(chain.claimed);
  return isOwed ? { stored, voucher: former, total: former.total } : undefined;
}

/** The claim of all that a channel was charged; undefined where it owes nothing, or no voucher of it is known. */
export function wholeClaim(stored: StoredChannel): DueClaim | undefined {
  const { newest, charged } = stored.channel;
  const isOwed = newest !== undefined && owedOf(stored.channel) > 0n && isCovered(stored.channel, newest);
  return isOwed ? { stored, voucher: newest, total: charged } : undefined;
}

/** The newest voucher covers what is charged. It does not where this ledger has not seen the sales that were claimed. */
const isCovered = ({ charged }: Channel, { total }: SignedTotal): boolean => BigInt(total) >= BigInt(charged);
