import { privateKeyToAccount } from 'viem/accounts';
import type { SandboxChain } from '../../src/pay/sandbox/chain.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { sellerAt } from '../../test/pay/routes.ts';
import { encodeHeader, signAuthorization, v2Payload, type WireAuthorization } from '../../test/pay/wallet.ts';

export const CHEAP = '/v1/funding/current?symbol=BTC';
export const DEAR = '/v1/perp/snapshot?ticker=BTC';

export interface Said {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type Domain = Parameters<typeof signAuthorization>[3];
/** A payment as it is sent, loose enough to be spoilt. */
export interface Payload {
  accepted: Record<string, unknown>;
  payload: { authorization: Record<string, unknown> };
}

/** A seller on a chain, and a buyer who may sign anything. */
export class Ground {
  readonly url: string;
  readonly chain: SandboxChain;
  readonly #seller: Seller;

  constructor(url: string, chain: SandboxChain) {
    this.url = url;
    this.chain = chain;
    this.#seller = sellerAt(url, chain.payee.address);
  }

  async ask(headers: Readonly<Record<string, string>> = {}, path = CHEAP): Promise<Said> {
    const response = await fetch(this.url + path, { headers, redirect: 'manual' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** The header of a payment; `shape` changes what is sent after it was signed. */
  async pay(
    change: Partial<WireAuthorization> = {},
    shape: (payload: Payload) => unknown = (payload) => payload,
    domain: Domain = {},
  ): Promise<Record<string, string>> {
    const account = privateKeyToAccount(this.chain.buyer.privateKey);
    const signed = await signAuthorization(account, this.#seller, change, domain);
    return { 'PAYMENT-SIGNATURE': encodeHeader(shape(v2Payload(this.#seller, signed) as Payload)) };
  }

  earned(): Promise<bigint> {
    return this.chain.balanceOf(this.chain.payee.address);
  }

  /** Sales, or moved money, of payments that should all be refused as bad ones are. */
  async refuses(...all: readonly Readonly<Record<string, string>>[]): Promise<string | undefined> {
    const before = await this.earned();
    for (const headers of all) {
      const { status, text } = await this.ask(headers);
      if (status !== 402) return `answered ${status}: ${text.slice(0, 200)}`;
    }
    const paid = (await this.earned()) - before;
    return paid === 0n ? undefined : `${paid} atomic units were taken`;
  }
}
