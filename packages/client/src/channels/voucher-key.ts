import type { Requirement } from '../challenge.ts';
import { payerOf, type Signer } from '../payment.ts';
import type { ChannelConfig } from './channel.ts';
import type { ChannelOptions } from './options.ts';
import type { Payer } from './terms.ts';

interface Keys {
  /** The payer's. */
  readonly signer: Signer;
  readonly channels: Pick<ChannelOptions, 'voucherKey'>;
}

/** The payer of a requirement, with the key that is to sign the vouchers of its channels. Rejects where the key cannot be kept. */
export async function payerWithKey({ signer, channels }: Keys, entry: Requirement): Promise<Payer> {
  const payer = await payerOf(signer, entry);
  const key = await channels.voucherKey?.(payer.toLowerCase());
  return { payer, voucherKey: key?.address ?? payer };
}

/**
 * The key that signs the vouchers of a channel: the one that its terms name, of the payer or in the payer's place. Rejects
 * where that one is lost.
 */
export async function voucherSigner({ signer, channels }: Keys, config: ChannelConfig): Promise<Signer> {
  const { payer, payerAuthorizer } = config;
  if (payerAuthorizer === payer) return signer;
  const key = await channels.voucherKey?.(payer);
  if (key === undefined || key.address.toLowerCase() !== payerAuthorizer)
    throw new Error('the key that signs for this channel is lost');
  return key;
}
