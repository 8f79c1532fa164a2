import { randomBytes } from 'node:crypto';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Payment } from '../../src/pay/payment.ts';
import type { SignedAuthorization as ExactSigned } from '../../src/pay/schemes/exact/authorization.ts';
import { exactTerms } from '../../src/pay/schemes/exact/offer.ts';
import type { Seller } from '../../src/pay/seller.ts';

export interface WireAuthorization {
  from: string;
  to: string;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
}

export interface SignedAuthorization {
  readonly signature: string;
  readonly authorization: WireAuthorization;
}

/** A signer of authorizations. */
export type Signer = Pick<PrivateKeyAccount, 'address' | 'signTypedData'>;

export function newAccount(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey());
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** An authorization signed with a wallet library of its own, independent of the code under test. */
export async function signAuthorization(
  account: Signer,
  seller: Seller,
  change: Partial<WireAuthorization> = {},
  domain: { name?: string; version?: string; chainId?: number; verifyingContract?: `0x${string}` } = {},
): Promise<SignedAuthorization> {
  const now = Math.floor(Date.now() / 1000);
  const authorization: WireAuthorization = {
    from: account.address,
    to: seller.payTo,
    value: '1000',
    validAfter: '0',
    validBefore: String(now + 60),
    nonce: `0x${randomBytes(32).toString('hex')}`,
    ...change,
  };
  const signature = await account.signTypedData({
    domain: {
      name: seller.assetName,
      version: seller.assetVersion,
      chainId: seller.network.chainId,
      verifyingContract: seller.asset as `0x${string}`,
      ...domain,
    },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: authorization.from as `0x${string}`,
      to: authorization.to as `0x${string}`,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce as `0x${string}`,
    },
  });
  return { signature, authorization };
}

/** A second-generation payload; `amount` follows the authorization. */
export function v2Payload(seller: Seller, signed: SignedAuthorization, more: object = {}): object {
  const accepted = exactTerms(seller, BigInt(signed.authorization.value));
  return { x402Version: 2, accepted, payload: signed, ...more };
}

/** A first-generation payload. */
export function v1Payload(signed: SignedAuthorization, more: object = {}): object {
  return { x402Version: 1, scheme: 'exact', network: 'base', payload: signed, ...more };
}

export function encodeHeader(payload: unknown): string {
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}

/** The payment as the parser would give it. */
export function paymentOf({ signature, authorization }: SignedAuthorization): Payment<ExactSigned> {
  const { from, to, nonce, ...rest } = authorization;
  const lower = { from: from.toLowerCase(), to: to.toLowerCase(), nonce: nonce.toLowerCase() };
  return {
    scheme: 'exact',
    payer: lower.from,
    nonce: lower.nonce,
    signed: { signature: signature.toLowerCase(), authorization: { ...rest, ...lower } },
    terms: {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: undefined,
      asset: undefined,
      payTo: undefined,
      maxTimeoutSeconds: undefined,
    },
    resourceUrl: undefined,
    paymentId: undefined,
  };
}
