import { keccak256 } from './keccak.ts';

/**
 * The address (lower case) whose key signed a digest; undefined where the numbers are no signature.
 *
 * @param signature r and s, 64 bytes
 */
export type RecoverAddress = (
  digest: Buffer,
  signature: Buffer,
  recovery: 0 | 1,
) => Promise<string | undefined>;

/**
 * libsecp256k1 where its prebuilt module loads (some eleven thousand checks a second), else viem's curve (some six
 * hundred). Either is loaded only when this is called.
 */
export async function loadRecover(): Promise<RecoverAddress> {
  return (await loadNativeRecover()) ?? (await loadPureRecover());
}

/** Undefined where the optional module is not installed for this platform. */
export async function loadNativeRecover(): Promise<RecoverAddress | undefined> {
  try {
    const { default: secp256k1 } = await import('secp256k1');
    return async (digest, signature, recovery) => {
      try {
        const key = secp256k1.ecdsaRecover(signature, recovery, digest, false);
        return `0x${keccak256(key.subarray(1)).toString('hex').slice(24)}`;
      } catch {
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}

/** The same in JavaScript. */
export async function loadPureRecover(): Promise<RecoverAddress> {
  const { recoverAddress } = await import('viem');
  return async (digest, signature, recovery) => {
    const v = recovery === 0 ? '1b' : '1c';
    try {
      const hash = `0x${digest.toString('hex')}` as const;
      return (await recoverAddress({ hash, signature: `0x${signature.toString('hex')}${v}` })).toLowerCase();
    } catch {
      return undefined;
    }
  };
}
