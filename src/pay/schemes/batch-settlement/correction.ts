import type { Correction } from '../../scheme.ts';
import type { Seller } from '../../seller.ts';
import type { ChannelPayment } from './channel.ts';
import type { Channels } from './channels.ts';
import { isPublished } from './lifecycle.ts';
import { TOTAL_MISMATCH } from './offer.ts';
import { SCHEME_NAME } from './terms.ts';
import { channelStateWire, voucherStateWire } from './wire.ts';

/**
 * Tells what is charged, with the voucher that proves it: from there a buyer's program signs the next total. A voucher that
 * was sent to be claimed can be read by anybody, and presented by anybody: the newest voucher, which
 * only the two know, is not given away for it.
 */
export async function correctionOf(
  channels: Channels,
  { network }: Pick<Seller, 'network'>,
  { voucher: { channelId, total } }: Pick<ChannelPayment, 'voucher'>,
): Promise<Correction | undefined> {
  const channel = (await channels.read(channelId))?.channel;
  const chain = channel?.chain ?? (await channels.view(channelId));
  if (chain === undefined) return undefined;
  const channelState = channelStateWire(channelId, channel?.charged ?? chain.claimed, chain);
  const newest = channel === undefined || isPublished(channel, total) ? undefined : channel.newest;
  const extra =
    newest === undefined ? { channelState } : { channelState, voucherState: voucherStateWire(newest) };
  return { reason: TOTAL_MISMATCH, scheme: SCHEME_NAME, network: network.id, extra };
}
