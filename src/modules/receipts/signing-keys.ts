import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sha256 } from '../../domain/canonical-json.ts';
import { type Clock, iso } from '../../domain/clock.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { reasonOf } from '../../runtime/reason-of.ts';

/** The public half of an Ed25519 key (RFC 8037). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

/** A key and the time in which it signs. */
export interface SigningKey {
  /** From the key itself, as RFC 7638 has it, shortened. */
  readonly id: string;
  readonly from: UnixMs;
  /** Undefined: until another one takes its place. */
  readonly until: UnixMs | undefined;
  readonly jwk: PublicJwk;
  /** Undefined where it is destroyed. */
  readonly secret: KeyObject | undefined;
}

const FORMAT = 1;
const ID_LENGTH = 11;
const OWNER_ONLY = 0o600;
/** A new key waits this long: every process of the service has read the file again by then. */
export const ROTATION_DELAY_MS = MINUTE_MS;

/** The keys of a file, newest last; read again when it was written. */
export class KeyRing {
  readonly #path: string;
  #readAt: number;
  #keys: readonly SigningKey[];

  /** Opens the file, made with a key of its own where it is missing. Throws where it cannot be read or made. */
  constructor(path: string, clock: Clock) {
    this.#path = path;
    try {
      this.#readAt = writtenAt(path);
    } catch {
      createFile(path, clock.now());
      this.#readAt = writtenAt(path);
    }
    this.#keys = readKeys(path);
  }

  /** All keys that ever signed, whose public halves stay known. */
  get keys(): readonly SigningKey[] {
    return this.#keys;
  }

  /** The key that signs at this time; undefined where the clock has gone back behind the first. */
  at(now: UnixMs): (Pick<SigningKey, 'id' | 'from'> & { readonly secret: KeyObject }) | undefined {
    const key = this.#keys.findLast(({ from, until }) => from <= now && (until === undefined || now < until));
    return key?.secret && { id: key.id, from: key.from, secret: key.secret };
  }

  /** Reads the file again where it was written since. */
  refresh(): void {
    const at = writtenAt(this.#path);
    if (at === this.#readAt) return;
    this.#keys = readKeys(this.#path);
    this.#readAt = at;
  }
}

/**
 * Puts a new key in the place of the newest, a minute from now. Secrets of keys that sign no more are destroyed, their
 * public halves stay. Returns the new key's id and when it begins.
 */
export function rotateKeys(path: string, now: UnixMs): Pick<SigningKey, 'id' | 'from'> {
  const known = readKeys(path);
  const from = asMs(now + ROTATION_DELAY_MS);
  const ended = known.map((key) => {
    const until = key.until ?? from;
    return { ...key, until, secret: until <= now ? undefined : key.secret };
  });
  const made = newKey(from);
  const next = `${path}.${process.pid}`;
  writeFileSync(next, fileText([...ended, made]), { mode: OWNER_ONLY, flush: true });
  renameSync(next, path);
  return made;
}

const writtenAt = (path: string): number => statSync(path).mtimeMs;

/** Two processes that start at once must not end up with a key each: the file appears whole, and once. */
function createFile(path: string, now: UnixMs): void {
  mkdirSync(dirname(path), { recursive: true });
  const made = `${path}.${process.pid}`;
  writeFileSync(made, fileText([newKey(now)]), { mode: OWNER_ONLY, flush: true });
  try {
    linkSync(made, path);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
  } finally {
    rmSync(made);
  }
}

function newKey(from: UnixMs): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  return keyOf(privateKey.export({ format: 'jwk' }), from, undefined);
}

function keyOf(jwk: JsonWebKey, from: UnixMs, until: UnixMs | undefined): SigningKey {
  const publicJwk = readPublicJwk(jwk);
  if (publicJwk === undefined) throw new Error('not an Ed25519 key');
  const secret = jwk.d === undefined ? undefined : createPrivateKey({ key: jwk, format: 'jwk' });
  return { id: keyId(publicJwk), from, until, jwk: publicJwk, secret };
}

/** The id of a key is the beginning of its thumbprint. */
export const keyId = ({ crv, kty, x }: PublicJwk): string =>
  sha256(JSON.stringify({ crv, kty, x })).slice(0, ID_LENGTH);

/** An Ed25519 key as JSON, without what is secret; undefined where it is none. */
export function readPublicJwk(jwk: unknown): PublicJwk | undefined {
  if (!isWire(jwk) || jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519') return undefined;
  const x = readText(jwk.x);
  return x === undefined ? undefined : { kty: 'OKP', crv: 'Ed25519', x };
}

function fileText(keys: readonly SigningKey[]): string {
  const entries = keys.map(({ from, until, jwk, secret }) => ({
    from: iso(from),
    ...(until !== undefined && { until: iso(until) }),
    key: secret?.export({ format: 'jwk' }) ?? jwk,
  }));
  return `${JSON.stringify({ version: FORMAT, keys: entries }, null, 2)}\n`;
}

function readKeys(path: string): readonly SigningKey[] {
  try {
    const file: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const entries =
      isWire(file) && file.version === FORMAT ? wireArray(file.keys)?.filter(isWire) : undefined;
    if (entries === undefined || entries.length === 0) throw new Error(`no keys of version ${FORMAT}`);
    return entries.map((entry) => keyOf(entry.key as JsonWebKey, timeIn(entry, 'from'), endOf(entry)));
  } catch (cause) {
    throw new Error(`the signing keys in ${path} cannot be read: ${reasonOf(cause)}`);
  }
}

const endOf = (entry: Wire): UnixMs | undefined =>
  entry.until === undefined ? undefined : timeIn(entry, 'until');

function timeIn(entry: Wire, name: 'from' | 'until'): UnixMs {
  const at = Date.parse(readText(entry[name]) ?? '');
  if (Number.isNaN(at)) throw new Error(`a key without a time ${name}`);
  return asMs(at);
}
