import type { UnixMs } from '../../../domain/units.ts';
import { type ChainView, isOutdated } from './chain-view.ts';
import type { ChannelConfig } from './channel.ts';

/** A total with the signature for it. */
export interface SignedTotal {
  readonly total: string;
  readonly signature: string;
}

/** A sale with a deposit whose answer is held, and which is not settled yet. */
export interface OpenSale extends SignedTotal {
  /** Key of the payment. */
  readonly key: string;
}

/** A refund that its buyer has asked for. Once its signature was given to a facilitator, only the chain can end it. */
export interface OpenRefund {
  /** The contract makes one refund of each nonce, in order. */
  readonly nonce: string;
  /** Atomic units. */
  readonly amount: string;
  /** The voucher by which it was asked for. */
  readonly by: SignedTotal;
  /** All that is left: what is charged is claimed with it. */
  readonly isFull: boolean;
  /** When a facilitator was asked last, or is about to be asked first. */
  readonly askedAt: UnixMs;
  /** Times that a facilitator was asked again. */
  readonly tries: number;
  readonly transaction?: string | undefined;
}

/** A refund that facilitators refuse for good. One of them may send it all the same, as long as the chain takes its nonce. */
export interface RefusedRefund extends Pick<OpenRefund, 'nonce' | 'amount'> {
  readonly reason: string;
  readonly at: UnixMs;
}

/** A refund that the chain shows. */
export interface MadeRefund extends Pick<OpenRefund, 'isFull' | 'transaction'> {
  /** Total of the voucher by which it was asked for. */
  readonly total: string;
  /** The amount for which a facilitator was asked, atomic units. */
  readonly asked: string;
  /** The part of it that was still there. */
  readonly amount: string;
  readonly at: UnixMs;
}

/** A channel as it is kept. */
export interface Channel {
  readonly config: ChannelConfig;
  /** Sum of all prices of sales that are settled: never more than the newest voucher's total. */
  readonly charged: string;
  /** The voucher that covers what is charged; undefined where nothing was sold yet. */
  readonly newest: SignedTotal | undefined;
  /** The one before it. */
  readonly former?: SignedTotal | undefined;
  /** The greatest total whose voucher was given to a facilitator to be claimed; undefined where none was. */
  readonly published?: string | undefined;
  readonly open: OpenSale | undefined;
  readonly refund?: OpenRefund | undefined;
  /** The last one that was made. */
  readonly refunded?: MadeRefund | undefined;
  /** The last one that was given up. */
  readonly refused?: RefusedRefund | undefined;
  readonly chain: ChainView;
  /** When the first of the sales was settled that are not claimed; undefined where all are. */
  readonly owedSince: UnixMs | undefined;
  /** When the last sale was settled. */
  readonly usedAt: UnixMs | undefined;
}

/**
 * The stages of a channel. `none`: nothing is kept of it. `charging`: a sale with a deposit is under way, and no other one may begin.
 * `refunding`: money is given back, and nothing is sold meanwhile. `leaving`: the buyer has requested its money back, so that all
 * that is charged has to be claimed. `empty`: there is no money in it that was not claimed.
 */
export type ChannelStage = 'none' | 'ready' | 'charging' | 'refunding' | 'leaving' | 'empty';

/** Something that happened to a channel. */
export type ChannelEvent =
  /** The chain was looked at. */
  | { readonly kind: 'seen'; readonly chain: ChainView }
  /** A voucher is stored with the answer that it pays, and settled by that; `price` in atomic units. */
  | { readonly kind: 'sold'; readonly voucher: SignedTotal; readonly price: bigint; readonly at: UnixMs }
  /** The same of a voucher that comes with a deposit, before anybody is asked to send that. */
  | { readonly kind: 'held'; readonly sale: OpenSale; readonly price: bigint; readonly deposit: bigint }
  | { readonly kind: 'settled'; readonly key: string; readonly at: UnixMs }
  | { readonly kind: 'dropped'; readonly key: string }
  /** A voucher of this total is about to be given to a facilitator, to be claimed. */
  | { readonly kind: 'published'; readonly total: string }
  /** Its buyer wants money back. */
  | { readonly kind: 'refunding'; readonly refund: OpenRefund }
  /** A facilitator is about to be asked again for the refund. */
  | { readonly kind: 'refund_retried'; readonly at: UnixMs }
  /** A facilitator has sent it. */
  | { readonly kind: 'refund_sent'; readonly transaction: string }
  /** No facilitator took it on. */
  | { readonly kind: 'refund_dropped' }
  /** Those that were asked refuse it, and are not asked any more. */
  | {
      readonly kind: 'refund_refused';
      readonly nonce: string;
      readonly reason: string;
      readonly at: UnixMs;
    };

const QUIET: readonly ChannelStage[] = ['ready', 'leaving', 'empty'];
const HELD: readonly ChannelStage[] = ['charging'];
const REFUNDING: readonly ChannelStage[] = ['refunding'];

/**
 * The life of a channel, whole: the stages to which each event leads from each stage; which of several follows from what
 * the chain has. A pair that is not here cannot happen.
 */
export const CHANNEL_LIFECYCLE: Readonly<
  Record<ChannelStage, Readonly<Partial<Record<ChannelEvent['kind'], readonly ChannelStage[]>>>>
> = {
  none: { seen: QUIET },
  ready: { seen: QUIET, sold: ['ready'], held: HELD, published: ['ready'], refunding: REFUNDING },
  charging: { seen: HELD, settled: QUIET, dropped: QUIET, published: HELD },
  refunding: {
    seen: [...REFUNDING, ...QUIET],
    published: REFUNDING,
    refund_retried: REFUNDING,
    refund_sent: REFUNDING,
    refund_dropped: QUIET,
    refund_refused: QUIET,
  },
  leaving: { seen: QUIET, published: ['leaving'], refunding: REFUNDING },
  // A deposit fills it again.
  empty: { seen: QUIET, held: HELD, published: ['empty'] },
};

/** The stage of a channel. */
export function stageOf(channel: Channel | undefined): ChannelStage {
  if (channel === undefined) return 'none';
  const { open, refund, chain } = channel;
  if (open !== undefined) return 'charging';
  if (refund !== undefined) return 'refunding';
  if (chain.withdrawAt > 0) return 'leaving';
  return BigInt(chain.balance) > BigInt(chain.claimed) ? 'ready' : 'empty';
}

/** A channel of which nothing was sold yet, as far as this seller knows: what the chain says was claimed is charged. */
export function foundChannel(config: ChannelConfig, chain: ChainView): Channel {
  const nothing = { newest: undefined, open: undefined, owedSince: undefined, usedAt: undefined };
  return { config, charged: chain.claimed, chain, ...nothing };
}

/** Charged and not claimed, atomic units. */
export const owedOf = ({ charged, chain }: Channel): bigint => BigInt(charged) - BigInt(chain.claimed);

/** True of a total whose signature anybody may have read: it was claimed, or given to a facilitator to be claimed. */
export function isPublished({ chain, published = '0' }: Channel, total: string): boolean {
  return BigInt(total) <= BigInt(chain.claimed) || BigInt(total) <= BigInt(published);
}

/** A channel after an event; undefined where the event cannot happen to it, or comes too late. */
export function afterEvent(channel: Channel, event: ChannelEvent): Channel | undefined {
  if (CHANNEL_LIFECYCLE[stageOf(channel)][event.kind] === undefined) return undefined;
  switch (event.kind) {
    case 'seen':
      return seen(channel, event.chain);
    case 'sold':
      return isPayable(channel, event.voucher, event.price)
        ? charge(channel, event.voucher, event.at)
        : undefined;
    case 'held': {
      const { sale, price, deposit } = event;
      return isPayable(channel, sale, price, deposit) ? { ...channel, open: sale } : undefined;
    }
    case 'settled':
      return settled(channel, event);
    case 'dropped':
      return channel.open?.key === event.key ? { ...channel, open: undefined } : undefined;
    case 'published':
      return isPublished(channel, event.total) ? channel : { ...channel, published: event.total };
    case 'refunding':
      return isLeft(channel, event.refund) ? { ...channel, refund: event.refund } : undefined;
    case 'refund_retried':
      return withRefund(channel, ({ tries }) => ({ askedAt: event.at, tries: tries + 1 }));
    case 'refund_sent':
      return withRefund(channel, () => ({ transaction: event.transaction }));
    case 'refund_dropped':
      return channel.refund?.tries === 0 ? { ...channel, refund: undefined } : undefined;
    case 'refund_refused':
      return refused(channel, event);
  }
}

/** The money of a refund that was given up and may be sent all the same: nothing is sold on it. Atomic units. */
export function withheldOf({ refused, chain }: Channel): bigint {
  return refused?.nonce === chain.refundNonce ? BigInt(refused.amount) : 0n;
}

function refused(
  channel: Channel,
  { nonce, reason, at }: Extract<ChannelEvent, { kind: 'refund_refused' }>,
): Channel | undefined {
  const { refund } = channel;
  if (refund?.nonce !== nonce) return undefined;
  const before = withheldOf(channel);
  const amount = before > BigInt(refund.amount) ? before.toString() : refund.amount;
  return { ...channel, refund: undefined, refused: { nonce, amount, reason, at } };
}

/** A view that is older than the one that is kept changes nothing. A total that is claimed was charged before. */
function seen(channel: Channel, chain: ChainView): Channel {
  if (isOutdated(chain, channel.chain)) return channel;
  const after = refundSeen(channel, chain);
  const isClaimed = BigInt(chain.claimed) >= BigInt(channel.charged);
  if (isClaimed) return { ...after, chain, charged: chain.claimed, owedSince: undefined };
  // The sales before the last one are claimed.
  const isPart = BigInt(chain.claimed) > BigInt(channel.chain.claimed);
  return isPart ? { ...after, chain, owedSince: channel.usedAt } : { ...after, chain };
}

/** The nonce of a refund is used up with it. */
function refundSeen(channel: Channel, { balance, refundNonce, seenAt: at }: ChainView): Channel {
  const { refund, chain } = channel;
  if (refund === undefined || BigInt(refundNonce) <= BigInt(refund.nonce)) return channel;
  const { isFull, amount: asked, transaction } = refund;
  const { total } = refund.by;
  const given = BigInt(chain.balance) - BigInt(balance);
  const amount = given >= 0n && given < BigInt(asked) ? given.toString() : asked;
  return { ...channel, refund: undefined, refunded: { total, isFull, asked, amount, transaction, at } };
}

/** Nothing that is charged is given back, and the chain takes no other nonce. */
function isLeft({ charged, chain }: Channel, { nonce, amount, by }: OpenRefund): boolean {
  const given = BigInt(amount);
  return (
    given > 0n &&
    given <= BigInt(chain.balance) - BigInt(charged) &&
    BigInt(by.total) === BigInt(charged) &&
    nonce === chain.refundNonce
  );
}

function withRefund(
  channel: Channel,
  change: (refund: OpenRefund) => Partial<OpenRefund>,
): Channel | undefined {
  const { refund } = channel;
  return refund && { ...channel, refund: { ...refund, ...change(refund) } };
}

/** The total is what is charged and the price, and the channel has the money, or gets it by the deposit. */
function isPayable(channel: Channel, voucher: SignedTotal, price: bigint, deposit = 0n): boolean {
  const total = BigInt(voucher.total);
  return total === BigInt(channel.charged) + price && total <= spendableOf(channel) + deposit;
}

/** The money in a channel on which is sold, with what was sold on it; atomic units. */
export const spendableOf = (channel: Channel): bigint => BigInt(channel.chain.balance) - withheldOf(channel);

function settled(
  channel: Channel,
  { key, at }: Extract<ChannelEvent, { kind: 'settled' }>,
): Channel | undefined {
  const { open } = channel;
  return open?.key === key ? charge(channel, open, at) : undefined;
}

function charge(channel: Channel, { total, signature }: SignedTotal, at: UnixMs): Channel {
  const owedSince = channel.owedSince ?? at;
  // More may have been claimed meanwhile by a seller with another ledger.
  const charged = BigInt(total) > BigInt(channel.charged) ? total : channel.charged;
  const newest = { total, signature };
  const { newest: former } = channel;
  return { ...channel, charged, newest, former, open: undefined, owedSince, usedAt: at };
}
