import type { UnixMs } from '../../../domain/units.ts';
import { MINUTE_MS, SECOND_MS } from '../../../runtime/duration.ts';

/** A channel as the chain has it; amounts in atomic units, decimal text. */
export interface ChainView {
  /** All that was deposited, less what was withdrawn or refunded. */
  readonly balance: string;
  /** The part of it that was claimed. */
  readonly claimed: string;
  /** Unix seconds; 0 where no withdrawal is requested. */
  readonly withdrawAt: number;
  readonly refundNonce: string;
  /** When the chain was asked. */
  readonly seenAt: UnixMs;
  /** Time of the block that it was asked at; undefined in rows of older builds, and of a chain that makes blocks on demand. */
  readonly blockAt?: UnixMs | undefined;
}

/** Moment up to which a view is known to be true: by the chain's own clock where that is known, since a node may be behind. */
export const trueAt = ({ seenAt, blockAt }: Pick<ChainView, 'seenAt' | 'blockAt'>): UnixMs =>
  blockAt !== undefined && blockAt < seenAt ? blockAt : seenAt;

/** A node that is behind others shows less than they did; later than this the chain itself has lost what they showed. */
const LAG_MS = 5 * MINUTE_MS;

/**
 * True for a view that is of an earlier block than the one that is kept, and so knows of no withdrawal that was requested
 * between. The claimed sum of a channel only grows, and so does the nonce of its refunds: without the time of a block, a node
 * that shows less is behind, whatever the clock says.
 */
export function isOutdated(view: ChainView, kept: ChainView): boolean {
  if (view.blockAt !== undefined && kept.blockAt !== undefined && view.blockAt < kept.blockAt) return true;
  const isLess =
    BigInt(view.claimed) < BigInt(kept.claimed) || BigInt(view.refundNonce) < BigInt(kept.refundNonce);
  return view.seenAt < kept.seenAt || (isLess && view.seenAt < kept.seenAt + LAG_MS);
}

/**
 * True where half of the time has passed in which a withdrawal has to be answered, and no block since then was seen: the buyer
 * may have requested one.
 *
 * @param withdrawDelay of the channel, seconds
 */
export const mayBeLeaving = (view: ChainView, withdrawDelay: number, now: UnixMs): boolean =>
  now - trueAt(view) >= (withdrawDelay * SECOND_MS) / 2;
