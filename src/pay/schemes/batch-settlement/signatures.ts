import { plainSignature } from '../../plain-signature.ts';
import type { CheckSigner } from '../../recover.ts';
import type { SignatureMatch } from '../../scheme.ts';
import { type TokenDomain, tokenSeparator } from '../../typed-data.ts';
import type { ChannelPayment } from './channel.ts';
import { type ChannelDigests, depositDigest } from './digests.ts';

/** Tells whether a payment was signed by the keys of its channel, without a network. */
export type CheckChannelPayment = (payment: ChannelPayment) => Promise<SignatureMatch>;

/**
 * The check for one token: the voucher is signed by the key that the channel names for it, a deposit by the payer's own.
 * Either is a plain key's.
 */
export function createSignatureCheck(
  seller: TokenDomain,
  digests: ChannelDigests,
  isSigner: CheckSigner,
): CheckChannelPayment {
  const token = tokenSeparator(seller);
  const isSigned = async (digest: Buffer, signature: string, by: string): Promise<boolean> => {
    const plain = plainSignature(signature);
    return plain !== undefined && !plain.isHigh && isSigner(digest, plain, by);
  };
  return async ({ config, voucher, deposit }) => {
    const { channelId, total, signature } = voucher;
    const digest = digests.voucher(channelId, BigInt(total));
    if (!(await isSigned(digest, signature, config.payerAuthorizer))) return 'mismatch';
    if (deposit === undefined) return 'match';
    const funding = depositDigest(token, config.payer, channelId, deposit);
    return (await isSigned(funding, deposit.signature, config.payer)) ? 'match' : 'mismatch';
  };
}
