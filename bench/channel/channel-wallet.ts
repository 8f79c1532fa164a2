import { checksumAddress } from '../../src/pay/address.ts';
import type { ChannelConfig } from '../../src/pay/schemes/batch-settlement/channel.ts';
import { type ChannelDigests, createChannelDigests } from '../../src/pay/schemes/batch-settlement/digests.ts';
import { SCHEME_NAME } from '../../src/pay/schemes/batch-settlement/terms.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { loadSign, type SignDigest } from '../../src/pay/sign.ts';
import type { Challenge } from '../pay/wallet.ts';

/** The members of a seller's terms by channel that a buyer reads. */
interface ChannelEntry {
  readonly scheme: string;
  readonly amount: string;
  readonly payTo: string;
  readonly asset: string;
  readonly extra: { readonly receiverAuthorizer: string; readonly withdrawDelay: number };
}

interface Payer {
  readonly address: string;
  readonly sign: SignDigest;
}

/** One payer's channel with one seller. */
export interface OpenChannel {
  /** Header of the voucher for the next sale. */
  next(): Promise<string>;
}

/** Accounts that pay by channel. */
export class ChannelWallet {
  readonly #payers: readonly Payer[];
  readonly #digests: ChannelDigests;

  private constructor(payers: readonly Payer[], digests: ChannelDigests) {
    this.#payers = payers;
    this.#digests = digests;
  }

  static async open({ network }: Seller, accounts: number): Promise<ChannelWallet> {
    const { generatePrivateKey, privateKeyToAddress } = await import('viem/accounts');
    const payers = Array.from({ length: accounts }, async () => {
      const key = generatePrivateKey();
      return { address: privateKeyToAddress(key).toLowerCase(), sign: await loadSign(key) };
    });
    return new ChannelWallet(await Promise.all(payers), createChannelDigests(network.chainId));
  }

  /** A channel of each account, on the terms of a seller's challenge. */
  channelsOf(challenge: Challenge): readonly OpenChannel[] {
    const entry = challenge.accepts.find((terms) => (terms as ChannelEntry).scheme === SCHEME_NAME);
    if (entry === undefined) throw new Error('nothing is sold by channel');
    return this.#payers.map((payer) => this.#channel(payer, entry as ChannelEntry, challenge));
  }

  #channel({ address, sign }: Payer, entry: ChannelEntry, { resource, extensions }: Challenge): OpenChannel {
    const channelConfig: ChannelConfig = {
      payer: checksumAddress(address),
      payerAuthorizer: checksumAddress(address),
      receiver: entry.payTo,
      receiverAuthorizer: entry.extra.receiverAuthorizer,
      token: entry.asset,
      withdrawDelay: entry.extra.withdrawDelay,
      salt: `0x${'00'.repeat(32)}`,
    };
    const channelId = this.#digests.channelId(channelConfig);
    let total = 0n;
    return {
      next: async () => {
        total += BigInt(entry.amount);
        const { r, s, yParity } = await sign(this.#digests.voucher(channelId, total));
        const signature = `${r}${s.slice(2)}${yParity === 0 ? '1b' : '1c'}`;
        const voucher = { channelId, maxClaimableAmount: total.toString(), signature };
        const payload = { type: 'voucher', channelConfig, voucher };
        const payment = { x402Version: 2, payload, extensions, resource, accepted: entry };
        return Buffer.from(JSON.stringify(payment)).toString('base64');
      },
    };
  }
}
