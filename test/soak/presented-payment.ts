import type { SandboxChain } from '../../src/pay/sandbox/chain.ts';
import { reasonOf } from '../../src/runtime/reason-of.ts';
import { sellerAt } from '../pay/routes.ts';
import { encodeHeader, type Signer, signAuthorization, v2Payload } from '../pay/wallet.ts';
import { BASE_URL } from './pay-run.ts';
import type { Random } from './random.ts';

/** The address at which a payment is presented. */
export interface Shop {
  readonly url: string;
}

export type Headers = Readonly<Record<string, string>>;

/** The payer, and the goods. */
export interface Buying {
  readonly random: Random;
  readonly chain: SandboxChain;
  readonly buyers: readonly Signer[];
}

export interface Answered {
  /** 0 where the connection broke, or nothing came in time. */
  readonly status: number;
  /** The reason for the refusal. */
  readonly reason: string;
}

const TARGET = '/v1/perp/basis?ticker=BTC';
const PRICE = '5000';
const PATIENCE_MS = 20_000;

/** Signs a payment of one of the buyers. @returns its nonce, and what presents it */
export async function signPayment({ random, chain, buyers }: Buying) {
  const seller = sellerAt(BASE_URL, chain.payee.address);
  const signed = await signAuthorization(random.pick(buyers), seller, { value: PRICE });
  const { nonce } = signed.authorization;
  const headers: Headers = {
    'PAYMENT-SIGNATURE': encodeHeader(v2Payload(seller, signed)),
    'x-test-address': nonce.slice(0, 20),
  };
  return { nonce, headers };
}

/** A payment identifier, by which a buyer gets an answer again. */
export const keyed = (headers: Headers, key: string): Headers => ({ ...headers, 'Idempotency-Key': key });

/** Presents a payment. Sold bodies are added to `bodies`. */
export async function present(
  { url }: Shop,
  headers: Headers,
  bodies: Set<string>,
  target = TARGET,
): Promise<Answered> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url + target, { headers, signal });
    const body = await response.text();
    if (response.status === 200) bodies.add(body);
    return { status: response.status, reason: /"code":"([a-z_]+)"/.exec(body)?.[1] ?? '' };
  } catch (cause) {
    // The cause of a broken connection is within.
    return { status: 0, reason: reasonOf(cause instanceof Error ? (cause.cause ?? cause) : cause) };
  }
}
