import type { Claim } from '../../src/pay/ledger.ts';

/** A claim with nothing special but its key. */
export function claimOf(key: string): Claim {
  const payer = `0x${'11'.repeat(20)}`;
  const nonce = `0x${'22'.repeat(32)}`;
  return {
    key,
    routeId: 'perp-basis',
    path: '/v1/perp/basis',
    resourceHash: 'r',
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    payTo: `0x${'33'.repeat(20)}`,
    payer,
    nonce,
    amount: '5000',
    usd: '0.005',
    authorization: {
      from: payer,
      to: `0x${'33'.repeat(20)}`,
      value: '5000',
      validAfter: '0',
      validBefore: '9',
      nonce,
    },
    signature: '0x00',
    paymentHash: 'p',
    paymentIdHash: undefined,
  };
}
