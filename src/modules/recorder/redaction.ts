import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { WireAnswer, WireLine } from '../../collect/wire.ts';
import { writeAnswer } from './answer-payload.ts';

/** A payload as it may be stored. */
export interface Redacted {
  readonly payload: Buffer;
  readonly masked: boolean;
}

/** Names of parameters and fields whose values can be secrets. */
const SECRET_NAME =
  '(?:[\\w-]*(?:api|access|private|secret|client)[-_]?key|key|[\\w-]*(?:token|secret|signature|passphrase|password|authorization|jwt|session)[\\w-]*|sign|auth)';
const IN_QUERY = new RegExp(`([?&]${SECRET_NAME}=)[^&#]*`, 'gi');
const IN_BODY = new RegExp(`("${SECRET_NAME}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|[\\d.]+)`, 'gi');
const IN_FORM = new RegExp(`((?:^|&)${SECRET_NAME}=)[^&]*`, 'gi');
/** Texts that may be addresses of either version. */
const ADDRESS_LIKE = /(?<![\w.:])[\da-f:.]{3,45}(?![\w:])/gi;
/** Frames after the opening of a connection in which a venue may greet its client by address. */
const GREETINGS = 3;
/** Own addresses that are looked for, at most: those of this machine, and those that venues told. */
const MOST_OWN = 24;

/** A request's path and query without secrets. */
export const maskPath = (path: string): string => path.replace(IN_QUERY, '$1***');

/** A request's body without secrets. */
export const maskBody = (body: string): string => body.replace(IN_BODY, '$1"***"').replace(IN_FORM, '$1***');

const isInAddress = (byte: number | undefined): boolean =>
  byte !== undefined && (byte === 0x2e || byte === 0x3a || (byte >= 0x30 && byte <= 0x39));

/** Addresses of this machine by which others reach it. */
export function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return all.filter(({ internal }) => !internal).map(({ address }) => address.replace(/%.*$/, ''));
}

/**
 * Keeps secrets and the operator's addresses out of segments. Payloads are searched for addresses that are known to be the
 * operator's; refusals and a connection's first frames, which may name the client, lose every address, and one that
 * is found there is looked for from then on.
 */
export class Redaction {
  readonly #own = new Map<string, Buffer>();
  /** Frames since their opening, of connections that are young. */
  readonly #young = new Map<string, number>();

  constructor(addresses: Iterable<string>) {
    for (const address of addresses) this.#know(address);
  }

  opened(line: WireLine, connection: number): void {
    this.#young.set(keyOf(line, connection), 0);
  }

  frame(line: WireLine, connection: number, bytes: Buffer): Redacted {
    if (this.#young.size > 0 && this.#isGreeting(line, connection)) return this.#withoutAddresses(bytes);
    return this.#withoutOwn(bytes);
  }

  /** The answer's request and body as one payload. */
  answer({ base, method, path, body, status, payload: came }: WireAnswer): Redacted {
    const isRefusal = status < 200 || status >= 300;
    const { payload, masked } = isRefusal ? this.#withoutAddresses(came) : this.#withoutOwn(came);
    const safePath = maskPath(path);
    const safeBody = body === undefined ? undefined : maskBody(body);
    const request = { base, method, path: safePath, body: safeBody, status };
    return {
      payload: writeAnswer(request, payload),
      masked: masked || safePath !== path || safeBody !== body,
    };
  }

  #isGreeting(line: WireLine, connection: number): boolean {
    const key = keyOf(line, connection);
    const frames = this.#young.get(key);
    if (frames === undefined) return false;
    if (frames + 1 >= GREETINGS) this.#young.delete(key);
    else this.#young.set(key, frames + 1);
    return true;
  }

  /** Without the addresses that are known; its length stays the same. */
  #withoutOwn(bytes: Buffer): Redacted {
    let safe: Buffer | undefined;
    for (const address of this.#own.values()) {
      for (let at = bytes.indexOf(address); at >= 0; at = bytes.indexOf(address, at + 1)) {
        if (isInAddress(bytes[at - 1]) || isInAddress(bytes[at + address.length])) continue;
        safe ??= Buffer.from(bytes);
        safe.fill('*', at, at + address.length);
      }
    }
    return { payload: safe ?? bytes, masked: safe !== undefined };
  }

  #withoutAddresses(bytes: Buffer): Redacted {
    const text = bytes.toString('latin1');
    const safe = text.replace(ADDRESS_LIKE, (found) => {
      const address = found.replace(/[.:]$/, '');
      if (isIP(address) === 0) return found;
      this.#know(address);
      return '*'.repeat(found.length);
    });
    return safe === text
      ? { payload: bytes, masked: false }
      : { payload: Buffer.from(safe, 'latin1'), masked: true };
  }

  #know(address: string): void {
    if (this.#own.size < MOST_OWN) this.#own.set(address, Buffer.from(address));
  }
}

const keyOf = ({ venue, stream }: WireLine, connection: number): string => `${venue} ${stream} ${connection}`;
