import { sameAddress } from '../../pay/address.ts';
import type { PaymentRecord } from '../../pay/record.ts';
import type { StoredChannel } from '../../pay/schemes/batch-settlement/channels.ts';
import type { BlockRange } from './chain-logs.ts';

/** A seller's address, and a token in which it is paid. */
export interface ReceivingAccount {
  readonly asset: string;
  readonly payTo: string;
}

/** Every token and receiver that payments were made to, or channels are for. */
export function receivingAccounts(
  records: readonly PaymentRecord[],
  channels: readonly StoredChannel[],
): readonly ReceivingAccount[] {
  const found = new Map<string, ReceivingAccount>();
  const note = (asset: string, payTo: string) =>
    found.set(`${asset}/${payTo}`.toLowerCase(), { asset, payTo });
  for (const { channel } of channels) note(channel.config.token, channel.config.receiver);
  for (const { asset, payTo } of records) note(asset, payTo);
  return [...found.values()];
}

/** True of a payment to that account. */
export const isPaymentTo = (record: PaymentRecord, { asset, payTo }: ReceivingAccount): boolean =>
  sameAddress(record.asset, asset) && sameAddress(record.payTo, payTo);

/** True of a channel for that account. */
export const isChannelFor = ({ channel }: StoredChannel, { asset, payTo }: ReceivingAccount): boolean =>
  sameAddress(channel.config.token, asset) && sameAddress(channel.config.receiver, payTo);

/** The account and the blocks of a comparison, in words. */
export const comparedText = ({ asset, payTo }: ReceivingAccount, { fromBlock, toBlock }: BlockRange) =>
  `${payTo} in ${asset}, blocks ${fromBlock} to ${toBlock}`;
