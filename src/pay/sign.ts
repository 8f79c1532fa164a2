/** An ECDSA signature over secp256k1, s in the lower half. */
export interface RawSignature {
  readonly r: `0x${string}`;
  readonly s: `0x${string}`;
  readonly yParity: 0 | 1;
}

/** Signs a 32-byte digest with one key. */
export type SignDigest = (digest: Buffer) => Promise<RawSignature>;

/** libsecp256k1 where its prebuilt module loads, else viem's curve; either is loaded only when this is called. */
export async function loadSign(privateKey: `0x${string}`): Promise<SignDigest> {
  return (await loadNativeSign(privateKey)) ?? (await loadPureSign(privateKey));
}

/**
 * Undefined where the optional module is not installed for this platform. Its main file would fall back to elliptic,
 * whose signatures can give the key away (GHSA-848j-6mx2-7j84).
 */
export async function loadNativeSign(privateKey: `0x${string}`): Promise<SignDigest | undefined> {
  const key = Buffer.from(privateKey.slice(2), 'hex');
  try {
    const { default: secp256k1 } = await import('secp256k1/bindings.js');
    return async (digest) => {
      const { signature, recid } = secp256k1.ecdsaSign(digest, key);
      const hex = Buffer.from(signature).toString('hex');
      return { r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64)}`, yParity: recid === 0 ? 0 : 1 };
    };
  } catch {
    return undefined;
  }
}

/** The same in JavaScript. */
export async function loadPureSign(privateKey: `0x${string}`): Promise<SignDigest> {
  const { sign } = await import('viem/accounts');
  return async (digest) => {
    const { r, s, yParity } = await sign({ hash: `0x${digest.toString('hex')}`, privateKey });
    return { r, s, yParity: yParity === 0 ? 0 : 1 };
  };
}
