import { createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';

const LIFETIME_SECONDS = 120;

/**
 * Signs the bearer token of one call to Coinbase's hosted facilitator: a JWT over method, host and path, valid for
 * two minutes. A base64 secret is an Ed25519 key (seed and public key, 64 bytes), a PEM one an ECDSA P-256 key.
 * Source: the vendor's published SDK (`@coinbase/cdp-sdk`, auth/utils/jwt).
 *
 * @returns undefined where the secret is neither
 */
export function createCdpSigner(
  keyId: string,
  keySecret: string,
): ((method: string, url: URL, nowSeconds: number) => string) | undefined {
  const key = readKey(keySecret);
  if (key === undefined) return undefined;
  const alg = key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256';
  return (method, url, nowSeconds) => {
    const header = { alg, kid: keyId, typ: 'JWT', nonce: randomBytes(16).toString('hex') };
    const claims = {
      sub: keyId,
      iss: 'cdp',
      uris: [`${method} ${url.host}${url.pathname}`],
      iat: nowSeconds,
      nbf: nowSeconds,
      exp: nowSeconds + LIFETIME_SECONDS,
    };
    const text = `${encode(header)}.${encode(claims)}`;
    const bytes = Buffer.from(text);
    const signature =
      alg === 'EdDSA' ? sign(null, bytes, key) : sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  };
}

function readKey(secret: string): KeyObject | undefined {
  try {
    if (secret.includes('-----BEGIN')) {
      const key = createPrivateKey(secret.replaceAll('\\n', '\n'));
      return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
    }
    const bytes = Buffer.from(secret, 'base64');
    if (bytes.length !== 64) return undefined;
    const d = bytes.subarray(0, 32);
    const x = bytes.subarray(32);
    const jwk = { kty: 'OKP', crv: 'Ed25519', d: d.toString('base64url'), x: x.toString('base64url') };
    return createPrivateKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
