import { chainIdOf, type Requirement } from '../challenge.ts';
import { randomHex } from '../payment.ts';
import type { Order } from '../scheme.ts';
import type { PaymentRecord } from '../store.ts';
import { most } from '../usd.ts';
import type { ChannelBook } from './book.ts';
import { type ChannelConfig, type PendingDeposit, unspentOf } from './channel.ts';
import { channelIdOf } from './digests.ts';
import type { Plan } from './plan.ts';
import { type ChannelTerms, configOf, type Payer } from './terms.ts';

/** The channel by which an order can be paid. */
export interface Way {
  readonly id: string;
  readonly config: ChannelConfig;
  readonly terms: ChannelTerms;
}

/** With one seller; more are not opened, whatever it disputes. */
const MOST_CHANNELS = 8;

interface Offered {
  readonly entry: Requirement;
  readonly terms: ChannelTerms;
}

/**
 * The first of a payer's channels with a seller that is not disputed; undefined where all are. Money that lies in a channel whose
 * vouchers the payer signs itself is used up before a channel with another key is opened.
 */
export function wayOf(book: ChannelBook, payer: Payer, offered: Offered): Way | undefined {
  return earlierWay(book, payer, offered) ?? firstWay(book, payer, offered);
}

/** The open channel of a payer who signs vouchers itself, that has enough for this price; undefined where there is none. */
function earlierWay(book: ChannelBook, { payer }: Payer, { entry, terms }: Offered): Way | undefined {
  const way = firstWay(book, { payer, voucherKey: payer }, { entry, terms });
  const record = way && book.get(way.id);
  const isUsable = record?.closedAt === undefined && record !== undefined;
  return isUsable && unspentOf(record) >= BigInt(entry.amount) ? way : undefined;
}

function firstWay(book: ChannelBook, payer: Payer, { entry, terms }: Offered): Way | undefined {
  for (let number = 0; number < MOST_CHANNELS; number++) {
    const config = configOf(payer, entry, terms, number);
    const id = channelIdOf(config, chainIdOf(entry));
    if (book.get(id)?.isDisputed !== true) return { id, config, terms };
  }
  return undefined;
}

/** A voucher on its way. */
export interface Sale {
  readonly way: Way;
  readonly total: bigint;
  readonly deposit: PendingDeposit | undefined;
  readonly record: PaymentRecord;
  /** The total that the caps had counted before. */
  readonly countedBefore: string;
  /** Times that the seller has set this call right. */
  readonly corrections: number;
  /** The total that the seller could claim before this call, as far as that is proven. */
  base: bigint;
  leave: () => void;
  isOver: boolean;
  /** Another request was paid by the same voucher. */
  isUsed: boolean;
}

/** The part of all that was signed for a call that its seller can claim for it, atomic units. */
export const exposedBy = ({ total, base }: Pick<Sale, 'total' | 'base'>): bigint => most(total - base, 0n);

/** The record of a voucher in the store of payments. @param now ms since 1970 */
export function paymentOf(
  { url, requirement }: Order,
  way: Way,
  { increment }: Plan,
  now: number,
): PaymentRecord {
  const { network, asset, payTo } = requirement;
  return {
    nonce: `0x${randomHex(32)}`,
    at: now,
    amount: increment.toString(),
    channel: way.id,
    path: url.pathname + url.search,
    network,
    asset,
    payTo,
    state: 'signing',
  };
}
