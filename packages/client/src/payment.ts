import { jsonBase64 } from './base64.ts';
import { type Challenge, chainIdOf, type Requirement } from './challenge.ts';

type Hex = `0x${string}`;

/** An EIP-3009 authorization as it goes over the wire. */
export interface Authorization {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: string;
}

/** The content to sign (EIP-712). A function and not a type of ours: viem's accounts fit as they are. */
export interface TypedData {
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: Hex;
  };
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: 'TransferWithAuthorization';
  readonly message: Readonly<Record<string, unknown>>;
}

/** The payer: a viem account, `eip1193Signer`, or any function that signs typed data. */
export interface Signer {
  /** Of the payer. */
  readonly address: string | ((chainId: number) => Promise<string>);
  /** Resolves with the signature, hexadecimal. */
  signTypedData(data: TypedData): Promise<string>;
}

/** A service takes no authorization that lives longer. */
const MAX_SECONDS = 600;

const field = (name: string, type: string) => ({ name, type });
const TYPES = {
  EIP712Domain: [
    field('name', 'string'),
    field('version', 'string'),
    field('chainId', 'uint256'),
    field('verifyingContract', 'address'),
  ],
  TransferWithAuthorization: [
    field('from', 'address'),
    field('to', 'address'),
    field('value', 'uint256'),
    field('validAfter', 'uint256'),
    field('validBefore', 'uint256'),
    field('nonce', 'bytes32'),
  ],
};

/** So many random bytes, hexadecimal. */
export function randomHex(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A signed authorization, which buys whatever is sold on its terms, once. */
export interface Signed {
  readonly requirement: Requirement;
  readonly authorization: Authorization;
  readonly signature: string;
}

/** The authorization as it is signed. */
export function typedData(requirement: Requirement, message: TypedData['message']): TypedData {
  const { name, version } = requirement.extra;
  const verifyingContract = requirement.asset as Hex;
  return {
    domain: { name, version, chainId: chainIdOf(requirement), verifyingContract },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  };
}

/** Has exactly the price signed. */
export async function sign(
  signer: Signer,
  requirement: Requirement,
  nonce: string,
  nowMs: number,
): Promise<Signed> {
  const { address } = signer;
  const chainId = chainIdOf(requirement);
  const from = typeof address === 'string' ? address : await address(chainId);
  const lifetime = Math.min(requirement.maxTimeoutSeconds, MAX_SECONDS);
  const authorization = {
    from,
    to: requirement.payTo,
    value: requirement.amount,
    validAfter: '0',
    validBefore: String(Math.floor(nowMs / 1000) + lifetime),
    nonce,
  };
  const signature = await signer.signTypedData(typedData(requirement, authorization));
  if (!/^0x[0-9a-fA-F]+$/.test(signature)) throw new TypeError('the signer gave no signature');
  return { requirement, authorization, signature };
}

/** The header that carries a payment for what a challenge asks. */
export function paymentHeader(
  { requirement, authorization, signature }: Signed,
  challenge: Challenge,
): string {
  return jsonBase64({
    x402Version: 2,
    ...(challenge.resource !== undefined && { resource: challenge.resource }),
    accepted: requirement,
    payload: { signature, authorization },
  });
}

export const expiresAt = ({ authorization }: Signed): number => Number(authorization.validBefore) * 1000;
