import { checksumAddress } from './address.ts';
import { keccak256 } from './keccak.ts';
import type { Authorization, Payment } from './payment.ts';
import type { CheckSigner } from './recover.ts';
import type { Seller } from './seller.ts';

/** Half of the curve's order: a larger s is the malleable twin, which the token refuses. */
const HALF_ORDER = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex');
const EMPTY = Buffer.alloc(32);

const text = (value: string): Buffer => keccak256(Buffer.from(value, 'utf8'));
const DOMAIN_TYPE = text(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);
const TRANSFER_TYPE = text(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
);

export type SignatureMatch = 'match' | 'mismatch';

/** Tells whether a payment was signed by the key of its payer. */
export interface SignatureFilter {
  /**
   * `match`: a plain key signed it. `mismatch`: it did not, or not in a form the token takes from a plain key; it
   * may still be good for a contract wallet, which only the chain can tell.
   */
  check(payment: Pick<Payment, 'authorization' | 'signature'>): SignatureMatch | Promise<SignatureMatch>;
}

/** Prepares the filter for one token: the EIP-712 domain is hashed once. */
export function createSignatureFilter(seller: Seller, isSigner: CheckSigner): SignatureFilter {
  const domain = domainSeparator(seller);
  return {
    check({ authorization, signature }) {
      const bytes = Buffer.from(signature.slice(2), 'hex');
      const recovery = plainRecoveryId(bytes);
      if (recovery === undefined) return 'mismatch';
      const digest = authorizationDigest(domain, authorization);
      const signature64 = { bytes: bytes.subarray(0, 64), recovery };
      const signed = isSigner(digest, signature64, authorization.from);
      return signed instanceof Promise ? signed.then(matchOf) : matchOf(signed);
    },
  };
}

const matchOf = (isSigned: boolean): SignatureMatch => (isSigned ? 'match' : 'mismatch');

/** EIP-712 domain separator of the token. */
export function domainSeparator(seller: Seller): Buffer {
  return keccak256(
    Buffer.concat([
      DOMAIN_TYPE,
      text(seller.assetName),
      text(seller.assetVersion),
      uint256(BigInt(seller.network.chainId)),
      addressWord(checksumAddress(seller.asset)),
    ]),
  );
}

const WORD = 32;

/** Hashed before anything else is written there: a buffer a payment would have to be collected. */
const struct = Buffer.alloc(7 * WORD);
TRANSFER_TYPE.copy(struct);
const message = Buffer.alloc(2 + 2 * WORD);
message.writeUInt16BE(0x1901);

/** What the payer signs: the EIP-712 digest of the EIP-3009 authorization. */
export function authorizationDigest(domain: Buffer, authorization: Authorization): Buffer {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  writeWord(1, from.slice(2));
  writeWord(2, to.slice(2));
  writeWord(3, decimalHex(value));
  writeWord(4, decimalHex(validAfter));
  writeWord(5, decimalHex(validBefore));
  writeWord(6, nonce.slice(2));
  message.set(domain, 2);
  message.set(keccak256(struct), 2 + WORD);
  return keccak256(message);
}

/** Decimals that a double holds exactly, whatever their digits. */
const EXACT_DIGITS = 15;

function decimalHex(decimal: string): string {
  return (decimal.length <= EXACT_DIGITS ? Number(decimal) : BigInt(decimal)).toString(16);
}

/** Hex digits at the end of a word of zeros; what is longer than a word never is a value of the token. */
function writeWord(index: number, hex: string): void {
  const digits = hex.length % 2 === 0 ? hex : `0${hex}`;
  const bytes = Math.min(digits.length / 2, WORD);
  const end = (index + 1) * WORD;
  struct.fill(0, index * WORD, end - bytes);
  struct.write(digits.slice(-2 * bytes), end - bytes, 'hex');
}

/** 65 bytes, v 27 or 28, r and s not zero, s in the lower half: what the token accepts of a plain key. */
function plainRecoveryId(signature: Buffer): 0 | 1 | undefined {
  if (signature.length !== 65) return undefined;
  const s = signature.subarray(32, 64);
  if (s.compare(HALF_ORDER) > 0 || s.equals(EMPTY) || signature.subarray(0, 32).equals(EMPTY))
    return undefined;
  const v = signature[64];
  return v === 27 ? 0 : v === 28 ? 1 : undefined;
}

function uint256(value: bigint): Buffer {
  return Buffer.from(BigInt.asUintN(256, value).toString(16).padStart(64, '0'), 'hex');
}

function addressWord(address: string): Buffer {
  return Buffer.from(address.slice(2).padStart(64, '0'), 'hex');
}
