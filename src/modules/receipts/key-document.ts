import { createPublicKey, type KeyObject } from 'node:crypto';
import { iso } from '../../domain/clock.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import { type PublicJwk, readPublicJwk, type SigningKey } from './signing-keys.ts';

/** The path of the key document under the service's address. */
export const KEY_DOCUMENT_PATH = '/.well-known/did.json';

/**
 * The service's name as a signer: `did:web` of its address. An address with a path names the document's folder
 * too, so that it is found at the same place below every address.
 */
export function signerOf(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  const folders = pathname.split('/').filter((part) => part !== '');
  const below = folders.length === 0 ? [] : [...folders, '.well-known'];
  return ['did', 'web', host.replace(':', '%3A'), ...below].join(':');
}

interface VerificationMethod {
  readonly id: string;
  readonly type: 'JsonWebKey2020';
  readonly controller: string;
  readonly publicKeyJwk: PublicJwk & { readonly kid: string; readonly alg: string; readonly use: string };
  /** When it signs: from then, and before the end where there is one. */
  readonly validFrom: string;
  readonly expires?: string;
}

/** A DID document: every key that ever signed, with its time. */
export interface KeyDocument {
  readonly '@context': readonly string[];
  readonly id: string;
  readonly verificationMethod: readonly VerificationMethod[];
  readonly assertionMethod: readonly string[];
}

/** The document by which the service publishes its keys. */
export function keyDocument(signer: string, keys: readonly SigningKey[]): KeyDocument {
  const methods = keys.map(
    ({ id, from, until, jwk }): VerificationMethod => ({
      id: `${signer}#${id}`,
      type: 'JsonWebKey2020',
      controller: signer,
      publicKeyJwk: { ...jwk, kid: id, alg: 'EdDSA', use: 'sig' },
      validFrom: iso(from),
      ...(until !== undefined && { expires: iso(until) }),
    }),
  );
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id: signer,
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
  };
}

/** A key as a verifier knows it. */
export interface KnownKey {
  readonly key: KeyObject;
  /** Unix ms; NaN where the document does not say. */
  readonly from: number;
  /** Unix ms; infinite for the key in force. */
  readonly until: number;
}

/** The key of this name in a published document; undefined where it has none. */
export function knownKey(document: unknown, keyId: string): KnownKey | undefined {
  const methods = isWire(document) ? (wireArray(document.verificationMethod) ?? []).filter(isWire) : [];
  const method = methods.find(({ id }) => id === keyId);
  const jwk = method && readPublicJwk(method.publicKeyJwk);
  if (method === undefined || jwk === undefined) return undefined;
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    return {
      key,
      from: timeOf(method, 'validFrom'),
      until: timeOf(method, 'expires', Number.POSITIVE_INFINITY),
    };
  } catch {
    return undefined;
  }
}

function timeOf(method: Wire, name: string, otherwise = Number.NaN): number {
  const text = readText(method[name]);
  return text === undefined ? otherwise : Date.parse(text);
}
