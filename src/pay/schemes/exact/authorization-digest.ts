import { keccak256 } from '../../keccak.ts';
import { textHash } from '../../typed-data.ts';
import type { Authorization } from './authorization.ts';

const TRANSFER_TYPE = textHash(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
);

const WORD = 32;

/** Hashed before anything else is written there: a buffer a payment would have to be collected. */
const struct = Buffer.alloc(7 * WORD);
TRANSFER_TYPE.copy(struct);
const message = Buffer.alloc(2 + 2 * WORD);
message.writeUInt16BE(0x1901);

/** The payer signs this: the EIP-712 digest of the EIP-3009 authorization. */
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
