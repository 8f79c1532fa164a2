import { keccak256 } from './keccak.ts';

/** An ECDSA signature over secp256k1 with s in the lower half. */
export interface PlainSignature {
  /** r and s, 64 bytes. */
  readonly bytes: Buffer;
  readonly recovery: 0 | 1;
}

/** Tells whether the key of an address (lower case) signed a digest: at once, where that is fast. */
export type CheckSigner = (
  digest: Buffer,
  signature: PlainSignature,
  address: string,
) => boolean | Promise<boolean>;

/**
 * libsecp256k1 where its prebuilt module loads (some ten thousand checks a second), else viem's curve (some six
 * hundred). Either is loaded only when this is called.
 */
export async function loadCheckSigner(): Promise<CheckSigner> {
  return (await loadNativeCheck()) ?? (await loadPureCheck());
}

/**
 * The native check; undefined where the optional module is not installed for this platform. The key is recovered each time, as
 * contracts do it: a check against a known key would be a third faster and would not look at the recovery id, so that a voucher
 * with a wrong one would be sold for and could never be claimed.
 */
export async function loadNativeCheck(): Promise<CheckSigner | undefined> {
  try {
    const { default: secp256k1 } = await import('secp256k1/bindings.js');
    return (digest, { bytes, recovery }, address) => {
      try {
        return addressOf(secp256k1.ecdsaRecover(bytes, recovery, digest, false)) === address;
      } catch {
        return false;
      }
    };
  } catch {
    return undefined;
  }
}

/** The address of a public key of 65 bytes, in lower case. */
export function addressOf(key: Uint8Array): string {
  return `0x${keccak256(key.subarray(1)).toString('hex', 12)}`;
}

/** The same in JavaScript. */
export async function loadPureCheck(): Promise<CheckSigner> {
  const { recoverAddress } = await import('viem');
  return async (digest, { bytes, recovery }, address) => {
    const v = recovery === 0 ? '1b' : '1c';
    try {
      const hash = `0x${digest.toString('hex')}` as const;
      const signer = await recoverAddress({ hash, signature: `0x${bytes.toString('hex')}${v}` });
      return signer.toLowerCase() === address;
    } catch {
      return false;
    }
  };
}
