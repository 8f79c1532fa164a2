import { createMulticall } from '../../pay/multicall.ts';
import { isPaid, type PaymentRecord } from '../../pay/record.ts';
import type { Rpc } from '../../pay/rpc.ts';
import type { DifferenceKind } from '../../pay/scheme.ts';
import { CHANNEL_ACCOUNTS } from '../../pay/schemes/batch-settlement/account-format.ts';
import { readReceived } from '../../pay/schemes/batch-settlement/chain.ts';
import type { ChannelPayment } from '../../pay/schemes/batch-settlement/channel.ts';
import type { StoredChannel } from '../../pay/schemes/batch-settlement/channels.ts';
import type { LedgerDifference } from './chain-comparison.ts';
import type { TransferQuery } from './chain-transfers.ts';
import { type ChannelMoves, readMoves } from './channel-moves.ts';

/** Channels of one token and seller beside the contract, atomic units. */
export interface ChannelsCompared {
  readonly channels: number;
  /** Prices of all sales by channel that are settled. */
  readonly sold: bigint;
  readonly deposited: bigint;
  readonly refunded: bigint;
  /** Claimed for the seller, and the part of it that was paid out. */
  readonly claimed: bigint;
  readonly settled: bigint;
  readonly differences: readonly LedgerDifference[];
}

/**
 * Checks channels against the contract, to the atomic unit: nothing is claimed that was not sold, nothing is charged that a
 * channel does not hold, and all that was claimed for the seller was claimed of these channels. Rejects where the node does not
 * answer.
 *
 * @param channels those of the seller, read after the last of the blocks was made, as the payments
 * @param records all payments by channel
 */
export async function compareChannels(
  rpc: Rpc,
  query: TransferQuery,
  channels: readonly StoredChannel[],
  records: readonly PaymentRecord[],
): Promise<ChannelsCompared> {
  const sold = soldBy(records);
  const moves = await readMoves(
    rpc,
    channels.map(({ id }) => id),
    query,
  );
  const received = await readReceived(createMulticall(rpc, query.toBlock), query);
  const all = [...moves.values()];
  const sum = (of: (each: ChannelMoves) => bigint): bigint =>
    all.reduce((total, each) => total + of(each), 0n);
  const claimed = sum((each) => each.claimed);
  const differences = channels.flatMap((stored) => {
    const own = moves.get(stored.id);
    return own === undefined ? [] : faultsOf(stored, own, sold.get(stored.id));
  });
  if (received.claimed > claimed) differences.push(unknownClaims(received.claimed - claimed));
  return {
    channels: channels.length,
    sold: [...sold.values()].reduce((total, each) => total + each, 0n),
    deposited: sum((each) => each.deposited),
    refunded: sum((each) => each.refunded),
    claimed: received.claimed,
    settled: received.settled,
    differences,
  };
}

/** Sums of settled sales by channel. */
function soldBy(records: readonly PaymentRecord[]): ReadonlyMap<string, bigint> {
  const sold = new Map<string, bigint>();
  for (const record of records) {
    if (!isPaid(record)) continue;
    const id = CHANNEL_ACCOUNTS.idOf(record.signed as ChannelPayment);
    sold.set(id, (sold.get(id) ?? 0n) + BigInt(record.amount));
  }
  return sold;
}

function faultsOf(
  { id, channel }: StoredChannel,
  { claimed, balance, lastClaim }: ChannelMoves,
  sold: bigint | undefined,
): LedgerDifference[] {
  const { payer } = channel.config;
  const charged = BigInt(channel.charged);
  const found = (kind: DifferenceKind, ledgerAmount: bigint | undefined, chainAmount: bigint) => ({
    kind,
    payer,
    nonce: id,
    ledgerAmount,
    chainAmount,
    state: undefined,
    settledAt: channel.usedAt,
  });
  const faults: LedgerDifference[] = [];
  if (claimed > (sold ?? 0n)) {
    const kind = sold === undefined ? 'not_in_ledger' : 'amount';
    const { transaction, block } = lastClaim ?? { transaction: undefined, block: undefined };
    faults.push({ ...found(kind, sold, claimed), transaction, block });
  }
  if (charged > balance) {
    faults.push({ ...found('not_on_chain', charged, balance), transaction: undefined, block: undefined });
  }
  return faults;
}

/** Claimed for the seller, of channels that the ledger does not have. */
const unknownClaims = (chainAmount: bigint): LedgerDifference => ({
  kind: 'not_in_ledger',
  transaction: undefined,
  payer: '',
  nonce: undefined,
  ledgerAmount: undefined,
  chainAmount,
  state: undefined,
  block: undefined,
  settledAt: undefined,
});
