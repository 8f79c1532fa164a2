import { checksumAddress } from '../../pay/address.ts';
import { keccak256 } from '../../pay/keccak.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';

/** A message is good for so long after it was issued. */
export const VALID_MS = 5 * MINUTE_MS;

const STATEMENT =
  'Read the watches that this wallet has paid for, for a day. This signs no payment, and moves nothing.';

/** Facts that a wallet puts into the message; the rest is the service's own. */
export interface SignedFacts {
  /** Address of the wallet, in any case. */
  readonly wallet: string;
  /** The network that the wallet is on: wallets want a message to name one. It grants nothing. */
  readonly chainId: number;
  /** When it was issued, ISO 8601 in UTC with milliseconds. */
  readonly issuedAt: string;
  /** Of the reader's choice, 8 to 64 letters and digits. */
  readonly nonce: string;
}

/**
 * The message by which a wallet says who it is (EIP-4361). It begins with the host of the service, which wallets hold against the page
 * that asks; it is made anew here and not read, so that what was signed is this or nothing.
 *
 * @param baseUrl public address of the service
 */
export function walletMessage(baseUrl: string, { wallet, chainId, issuedAt, nonce }: SignedFacts): string {
  const { host, origin } = new URL(baseUrl);
  return [
    `${host} wants you to sign in with your Ethereum account:`,
    checksumAddress(wallet),
    '',
    STATEMENT,
    '',
    `URI: ${origin}/v1/watches`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    `Expiration Time: ${new Date(Date.parse(issuedAt) + VALID_MS).toISOString()}`,
  ].join('\n');
}

/** The digest that a wallet signs of a text (EIP-191, version 0x45). */
export function textDigest(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return keccak256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]));
}
