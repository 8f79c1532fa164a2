import { type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';

/** Ed25519, which signs the same bytes with the same signature every time. */
export const ALGORITHM = 'EdDSA';

/** A signed statement in the compact form of RFC 7515: header, payload and signature. */
export interface Jws {
  readonly algorithm: string | undefined;
  readonly keyId: string | undefined;
  readonly type: string | undefined;
  readonly payload: Wire;
  /** The signed bytes. */
  readonly signed: Buffer;
  readonly signature: Buffer;
}

interface JwsHeader {
  readonly keyId: string;
  /** Told apart by this: one key signs statements of several kinds. */
  readonly type?: string;
}

/** Signs a statement, written as RFC 8785 has it. */
export function signJws(payload: unknown, { keyId, type }: JwsHeader, key: KeyObject): string {
  const header = { alg: ALGORITHM, kid: keyId, ...(type !== undefined && { typ: type }) };
  const signed = `${base64url(JSON.stringify(header))}.${base64url(canonicalJson(payload))}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

/** Reads a statement without believing it; undefined where it is none, or spelled other than a signer spells it. */
export function readJws(text: string): Jws | undefined {
  const parts = text.split('.');
  const [head, body, tail] = parts.map(bytesOf);
  if (parts.length !== 3 || head === undefined || body === undefined || tail === undefined) return undefined;
  const header = jsonOf(head);
  const payload = jsonOf(body);
  if (header === undefined || payload === undefined) return undefined;
  return {
    algorithm: readText(header.alg),
    keyId: readText(header.kid),
    type: readText(header.typ),
    payload,
    signed: Buffer.from(text.slice(0, text.lastIndexOf('.'))),
    signature: tail,
  };
}

/** True if the key made the signature. */
export const isSignedBy = ({ signed, signature }: Jws, key: KeyObject): boolean =>
  verify(null, signed, key, signature);

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Bytes that are spelled in one way only: what a decoder would forgive is another statement. */
function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

function jsonOf(bytes: Buffer): Wire | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isWire(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
