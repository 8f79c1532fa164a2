import { most } from '../usd.ts';
import type { ChainView } from './chain.ts';
import { type ChannelConfig, type ChannelRecord, type PendingDeposit, unspentOf } from './channel.ts';
import { depositOf } from './deposit.ts';

/** A deposit must live so much longer to be presented again, ms. */
const SPARE_MS = 15_000;

/** The channel as it was never used; with what the chain knows of it, where that was asked. */
export function newRecord(
  id: string,
  network: string,
  config: ChannelConfig,
  view: ChainView | undefined,
): ChannelRecord {
  const claimed = (view?.claimed ?? 0n).toString();
  const balance = (view?.balance ?? 0n).toString();
  return {
    id,
    version: 0,
    network,
    config,
    origin: '',
    path: '/',
    charged: claimed,
    signed: claimed,
    counted: claimed,
    funded: balance,
    deposited: balance,
  };
}

export interface PlanOptions {
  readonly price: bigint;
  /** The deposit that the seller proposes, atomic units. */
  readonly proposed: bigint | undefined;
  /** False: none is signed, and none presented again. */
  readonly takesDeposits: boolean;
  /** Calls that are still to come, as far as the caller knows. */
  readonly calls: bigint;
  /** Most that may be deposited now, atomic units. */
  readonly room: bigint;
  /** Last valid second and salt of a new deposit. */
  readonly fresh: Omit<PendingDeposit, 'amount'>;
  /** Ms since 1970. */
  readonly now: number;
}

/** The signatures that one call needs, atomic units. */
export interface Plan {
  readonly total: bigint;
  /** The part of it that the caps have not counted. */
  readonly increment: bigint;
  /** undefined: the channel has enough. */
  readonly deposit: PendingDeposit | undefined;
  readonly isNewDeposit: boolean;
  /** The record that has to be stored before anything is signed, without the version. */
  readonly next: ChannelRecord;
}

const isAlive = ({ validBefore }: PendingDeposit, now: number): boolean =>
  Number(validBefore) * 1000 > now + SPARE_MS;

/**
 * The next total of a channel, and the deposit where it has too little. A deposit whose fate is not known is presented again
 * while it lives; none is signed beside it. Undefined where the channel cannot pay for the call.
 */
export function planOf(record: ChannelRecord, options: PlanOptions): Plan | undefined {
  const { price, proposed, takesDeposits, calls, room, fresh, now } = options;
  const total = BigInt(record.charged) + price;
  const pending = record.pending && isAlive(record.pending, now) ? record.pending : undefined;
  const missing = total - BigInt(record.funded);
  const deposit = missing <= 0n || !takesDeposits ? undefined : (pending ?? newDeposit());
  if (missing > 0n && (deposit === undefined || BigInt(deposit.amount) < missing)) return undefined;
  const isNewDeposit = deposit !== undefined && deposit !== pending;
  const counted = BigInt(record.counted);
  const added = isNewDeposit ? BigInt(deposit.amount) : 0n;
  const next = {
    ...record,
    signed: most(BigInt(record.signed), total).toString(),
    counted: most(counted, total).toString(),
    deposited: (BigInt(record.deposited) + added).toString(),
    pending: deposit ?? pending,
    closedAt: undefined,
  };
  return { total, increment: total > counted ? total - counted : 0n, deposit, isNewDeposit, next };

  function newDeposit(): PendingDeposit | undefined {
    const isFirst = unspentOf(record) === 0n;
    const charged = BigInt(record.charged);
    const amount = depositOf({ price, missing, proposed, calls, charged, room, isFirst });
    return amount === undefined ? undefined : { amount: amount.toString(), ...fresh };
  }
}

/** The record after the answer to a payment came. */
export function afterSale(
  record: ChannelRecord,
  total: bigint,
  deposit: PendingDeposit | undefined,
): Partial<ChannelRecord> {
  const isIn = deposit !== undefined && record.pending?.salt === deposit.salt;
  return {
    charged: most(BigInt(record.charged), total).toString(),
    funded: isIn ? (BigInt(record.funded) + BigInt(deposit.amount)).toString() : record.funded,
    pending: isIn ? undefined : record.pending,
    busy: undefined,
  };
}

/** The record after a payment that was not taken, as the seller says. @param deposit one that will not be presented again */
export function afterRefusal(
  { counted, deposited, pending }: ChannelRecord,
  { total, countedBefore }: { readonly total: bigint; readonly countedBefore: string },
  deposit: PendingDeposit | undefined,
): Partial<ChannelRecord> {
  const isLast = BigInt(counted) === total;
  const isPending = deposit !== undefined && pending?.salt === deposit.salt;
  const less = isPending ? BigInt(deposit.amount) : 0n;
  return {
    counted: isLast ? countedBefore : counted,
    deposited: (BigInt(deposited) - less).toString(),
    pending: isPending ? undefined : pending,
  };
}

/** The record after the seller has shown what it has charged. @param proven the highest total that it can claim */
export function afterCorrection(
  record: ChannelRecord,
  seller: { readonly charged: bigint; readonly balance: bigint | undefined },
  proven: bigint,
): Partial<ChannelRecord> {
  const { charged, balance = BigInt(record.funded) } = seller;
  const { pending, funded, deposited } = record;
  const isIn = pending !== undefined && balance >= BigInt(funded) + BigInt(pending.amount);
  return {
    charged: charged.toString(),
    signed: most(BigInt(record.signed), proven).toString(),
    // A total of another process was counted by it.
    counted: most(BigInt(record.counted), proven > BigInt(record.signed) ? proven : 0n).toString(),
    funded: balance.toString(),
    deposited: most(BigInt(deposited), balance).toString(),
    pending: isIn ? undefined : pending,
  };
}

/** The record after a refund, atomic units: what the seller says it gave back. The rest of what is known to be there stays. */
export function afterRefund(record: ChannelRecord, refunded: bigint, now: number): Partial<ChannelRecord> {
  const known = BigInt(record.funded) - BigInt(record.charged);
  const left = most(known - refunded, 0n);
  const funded = (BigInt(record.charged) + left).toString();
  const closedAt = left === 0n ? now : undefined;
  return { funded, deposited: funded, closedAt, pending: undefined, busy: undefined };
}
