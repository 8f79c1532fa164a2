import { paymentKey } from '../../src/pay/payment.ts';
import { EXACT_FORMAT } from '../../src/pay/schemes/exact/format.ts';
import type { Claim } from '../../src/pay/transition.ts';

const NETWORK = 'eip155:8453';
const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

/** A claim with nothing special but its nonce. */
export function claimOf(name: string): Claim {
  const payer = `0x${'11'.repeat(20)}`;
  const payTo = `0x${'33'.repeat(20)}`;
  const nonce = `0x${Buffer.from(name).toString('hex').padStart(64, '0')}`;
  const authorization = {
    from: payer,
    to: payTo,
    value: '5000',
    validAfter: '0',
    validBefore: '9',
    nonce,
  };
  const signed = { signature: '0x00', authorization };
  return {
    key: paymentKey(NETWORK, ASSET, { payer, nonce }),
    routeId: 'perp-basis',
    resource: '/v1/perp/basis',
    resourceHash: 'r',
    network: NETWORK,
    asset: ASSET,
    payTo,
    payer,
    nonce,
    amount: '5000',
    usd: '0.005',
    scheme: 'exact',
    signed,
    overAt: EXACT_FORMAT.overAt(signed),
    paymentIdHash: undefined,
  };
}

/** The payment identifier of payments that a worker takes. */
export const WORKER_ID = 'order-of-the-worker';

/** The key of such a claim. */
export const keyOf = (name: string): string => claimOf(name).key;

/** An answer that is sold. */
export const ANSWER = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"a":1}'),
};

export const KB = 1024;

/** Answers of whole pages, so that counting pages and counting bytes come to the same. */
export const large = (bytes: number) => ({ ...ANSWER, body: Buffer.alloc(bytes) });

/** The change of a payment that is about to be settled. */
export const SETTLING = { state: 'settling', facilitator: 'f' } as const;
