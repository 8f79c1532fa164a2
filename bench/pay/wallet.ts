import { randomBytes } from 'node:crypto';
import type { Authorization } from '../../src/pay/schemes/exact/authorization.ts';
import { authorizationDigest } from '../../src/pay/schemes/exact/authorization-digest.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { loadSign, type SignDigest } from '../../src/pay/sign.ts';
import { tokenSeparator } from '../../src/pay/typed-data.ts';

/** An authorization with its payer's signature. */
export interface Signed {
  readonly authorization: Authorization;
  readonly signature: string;
}

/** The part of a challenge that a buyer repeats. */
export interface Challenge {
  readonly resource: unknown;
  readonly accepts: readonly unknown[];
  readonly extensions: unknown;
}

interface Payer {
  readonly address: string;
  readonly sign: SignDigest;
}

const VALID_SECONDS = 600;

/** Some accounts that sign payments, each under a nonce of its own. */
export class Wallet {
  readonly #seller: Seller;
  readonly #payers: readonly Payer[];
  readonly #domain: Buffer;
  #next = 0;

  private constructor(seller: Seller, payers: readonly Payer[]) {
    this.#seller = seller;
    this.#payers = payers;
    this.#domain = tokenSeparator(seller);
  }

  static async open(seller: Seller, accounts: number): Promise<Wallet> {
    const { generatePrivateKey, privateKeyToAddress } = await import('viem/accounts');
    const payers = Array.from({ length: accounts }, async () => {
      const key = generatePrivateKey();
      return { address: privateKeyToAddress(key).toLowerCase(), sign: await loadSign(key) };
    });
    return new Wallet(seller, await Promise.all(payers));
  }

  /** A payment of so many atomic units. */
  async sign(amount: bigint): Promise<Signed> {
    const payer = this.#payers[this.#next++ % this.#payers.length];
    if (payer === undefined) throw new Error('no payer');
    const authorization: Authorization = {
      from: payer.address,
      to: this.#seller.payTo.toLowerCase(),
      value: amount.toString(),
      validAfter: '0',
      validBefore: String(Math.floor(Date.now() / 1000) + VALID_SECONDS),
      nonce: `0x${randomBytes(32).toString('hex')}`,
    };
    const { r, s, yParity } = await payer.sign(authorizationDigest(this.#domain, authorization));
    return { authorization, signature: `${r}${s.slice(2)}${yParity === 0 ? '1b' : '1c'}` };
  }

  /** The payment as a second-generation client sends it, which repeats what the seller's challenge says. */
  headerOf({ authorization, signature }: Signed, { extensions, resource, accepts }: Challenge): string {
    const payload = { signature, authorization };
    const payment = { x402Version: 2, payload, extensions, resource, accepted: accepts[0] };
    return Buffer.from(JSON.stringify(payment)).toString('base64');
  }
}
