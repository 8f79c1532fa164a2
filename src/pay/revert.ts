import { RpcError } from './rpc.ts';

/** Selector of Error(string): what a contract's `require` reverts with. */
const ERROR_STRING = '0x08c379a0';

/**
 * A refusal of the token: the authorization was used, is over, or is not valid yet; its signature does not match; the payer has
 * too little; the payer or a party is blacklisted; the token is paused. `unnamed`: any other revert.
 */
export type RevertKind =
  | 'used'
  | 'expired'
  | 'early'
  | 'signature'
  | 'balance'
  | 'blacklisted'
  | 'paused'
  | 'unnamed';

/** The token's words (FiatTokenV2 and its base contracts). */
const WORDS: readonly (readonly [RegExp, RevertKind])[] = [
  [/used or canceled/i, 'used'],
  [/is expired/i, 'expired'],
  [/not yet valid/i, 'early'],
  [/invalid signature|ECRecover/i, 'signature'],
  [/exceeds balance/i, 'balance'],
  [/blacklisted/i, 'blacklisted'],
  [/paused/i, 'paused'],
];

/** The refusal by which a simulated call was reverted; undefined where the failure is the node's and says nothing about the call. */
export function revertOf(cause: unknown): RevertKind | undefined {
  if (!(cause instanceof RpcError) || cause.answer === undefined) return undefined;
  const { code, message, data } = cause.answer;
  if (code !== 3 && !/revert/i.test(message)) return undefined;
  const words = `${message} ${decodeErrorString(data)}`;
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'unnamed';
}

/** The text of ABI-encoded Error(string); empty for anything else. */
function decodeErrorString(data: string): string {
  if (!data.startsWith(ERROR_STRING)) return '';
  const bytes = Buffer.from(data.slice(ERROR_STRING.length), 'hex');
  if (bytes.length < 64) return '';
  const length = bytes.readUInt32BE(60);
  return bytes.subarray(64, 64 + length).toString('utf8');
}
