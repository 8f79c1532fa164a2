import { jsonBase64 } from './base64.ts';
import { type Challenge, chainIdOf, type Requirement } from './challenge.ts';
import type { Signed } from './scheme.ts';

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
  readonly primaryType: string;
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
const DOMAIN = [
  field('name', 'string'),
  field('version', 'string'),
  field('chainId', 'uint256'),
  field('verifyingContract', 'address'),
];
/** Members of an authorization to move money (EIP-3009). */
export const AUTHORIZATION = [
  field('from', 'address'),
  field('to', 'address'),
  field('value', 'uint256'),
  field('validAfter', 'uint256'),
  field('validBefore', 'uint256'),
  field('nonce', 'bytes32'),
];

/** So many random bytes, hexadecimal. */
export function randomHex(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Content to sign under a domain, with its type. */
export function typedData(
  domain: TypedData['domain'],
  primaryType: string,
  fields: readonly { readonly name: string; readonly type: string }[],
  message: TypedData['message'],
): TypedData {
  return { domain, types: { EIP712Domain: DOMAIN, [primaryType]: fields }, primaryType, message };
}

/** The domain of a token, under which its owner lets it be moved. */
export function tokenDomain(requirement: Requirement): TypedData['domain'] {
  const { name, version } = requirement.extra;
  return {
    name,
    version,
    chainId: chainIdOf(requirement),
    verifyingContract: requirement.asset as Hex,
  };
}

/** The authorization of a payment, as it is signed. */
export const transferData = (requirement: Requirement, message: TypedData['message']): TypedData =>
  typedData(tokenDomain(requirement), 'TransferWithAuthorization', AUTHORIZATION, message);

/** Address of the payer on the chain of a requirement. */
export async function payerOf({ address }: Signer, requirement: Requirement): Promise<string> {
  return typeof address === 'string' ? address : address(chainIdOf(requirement));
}

/** Has content signed. Rejects where the signer refuses, or gives no signature. */
export async function signatureOf(signer: Signer, data: TypedData): Promise<string> {
  const signature = await signer.signTypedData(data);
  if (!/^0x[0-9a-fA-F]+$/.test(signature)) throw new TypeError('the signer gave no signature');
  return signature;
}

/** The last second in which an authorization is valid that is signed now, Unix seconds as text. */
export function validBeforeOf({ maxTimeoutSeconds }: Requirement, nowMs: number): string {
  return String(Math.floor(nowMs / 1000) + Math.min(maxTimeoutSeconds, MAX_SECONDS));
}

/** Has an authorization of exactly the price signed. */
export async function authorize(
  signer: Signer,
  requirement: Requirement,
  nonce: string,
  nowMs: number,
): Promise<{ readonly authorization: Authorization; readonly signature: string }> {
  const authorization = {
    from: await payerOf(signer, requirement),
    to: requirement.payTo,
    value: requirement.amount,
    validAfter: '0',
    validBefore: validBeforeOf(requirement, nowMs),
    nonce,
  };
  const data = transferData(requirement, { ...authorization });
  return { authorization, signature: await signatureOf(signer, data) };
}

/** The header that carries a payment for what a challenge asks. */
export function paymentHeader({ requirement, payload }: Signed, challenge: Challenge): string {
  return jsonBase64({
    x402Version: 2,
    ...(challenge.resource !== undefined && { resource: challenge.resource }),
    accepted: requirement,
    payload,
  });
}

/** Ms since 1970. */
export const expiresAt = ({ validBefore }: Pick<Authorization, 'validBefore'>): number =>
  Number(validBefore) * 1000;
