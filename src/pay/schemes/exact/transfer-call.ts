import { addressWord, bytesArgument, encodeArguments, selectorOf, uintWord } from '../../abi.ts';
import type { Authorization } from './authorization.ts';

const ARGUMENTS = 'address,address,uint256,uint256,uint256,bytes32';
const BY_KEY = selectorOf(`transferWithAuthorization(${ARGUMENTS},uint8,bytes32,bytes32)`);
const BY_ANYBODY = selectorOf(`transferWithAuthorization(${ARGUMENTS},bytes)`);

/**
 * The call that settles an authorization (EIP-3009). 65 bytes go in as v, r and s, which every version of the token
 * takes; anything longer is for a contract wallet, and goes in as it is.
 */
export function transferCall(authorization: Authorization, signature: string): `0x${string}` {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const words = [
    addressWord(from),
    addressWord(to),
    uintWord(BigInt(value)),
    uintWord(BigInt(validAfter)),
    uintWord(BigInt(validBefore)),
    nonce.slice(2),
  ];
  const hex = signature.slice(2);
  if (hex.length === 130) {
    const v = hex.slice(128).padStart(64, '0');
    return `0x${BY_KEY.slice(2)}${encodeArguments([...words, v, hex.slice(0, 128)])}`;
  }
  return `0x${BY_ANYBODY.slice(2)}${encodeArguments([...words, bytesArgument(hex)])}`;
}
