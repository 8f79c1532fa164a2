import { isAddress, isChecksumAddress } from './address.ts';

/** The variables that are read, by name. */
export type PaymentEnvironment = Readonly<Record<string, string | undefined>>;

/** Reads variables one by one; every fault is noted under the variable's name, without the value of a secret. */
export class FieldReader {
  readonly errors: string[] = [];
  readonly #env: PaymentEnvironment;

  constructor(env: PaymentEnvironment) {
    this.#env = env;
  }

  fault(text: string): void {
    this.errors.push(text);
  }

  /** Undefined where it is not set or blank. */
  text(name: string): string | undefined {
    const text = this.#env[name]?.trim();
    return text === undefined || text === '' ? undefined : text;
  }

  /** The parts between commas; an empty part is kept, so that positions mean something. */
  list(name: string): readonly string[] {
    return (
      this.text(name)
        ?.split(',')
        .map((part) => part.trim()) ?? []
    );
  }

  /** A whole number within bounds. */
  integer(name: string, fallback: number, least: number, most: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    this.fault(`${name} must be a whole number from ${least} to ${most}`);
    return fallback;
  }

  /** A positive decimal of 10^decimals units, by its digits. */
  decimal(name: string, fallback: string, decimals: number): bigint {
    const text = this.text(name) ?? fallback;
    const match = /^(\d{1,9})(?:\.(\d+))?$/.exec(text);
    const fraction = match?.[2] ?? '';
    const value =
      match === null || fraction.length > decimals
        ? 0n
        : BigInt((match[1] ?? '') + fraction.padEnd(decimals, '0'));
    if (value <= 0n) this.fault(`${name} must be a positive decimal with at most ${decimals} decimal places`);
    return value;
  }

  privateKey(name: string): `0x${string}` {
    const key = this.text(name) ?? '';
    if (isPrivateKey(key)) return key;
    this.fault(`${name} must be 0x and 64 hex digits`);
    return '0x';
  }

  /** Private keys, in their order. */
  privateKeys(name: string): readonly `0x${string}`[] {
    const keys = this.list(name);
    if (!keys.every(isPrivateKey))
      this.fault(`${name} must be 0x and 64 hex digits, or several of them, comma separated`);
    return keys.filter(isPrivateKey);
  }

  /** An address in its checksum form; what is given, or the fallback. */
  address(name: string, fallback: string): string {
    const text = this.text(name) ?? fallback;
    if (!isAddress(text)) this.fault(`${name} must be an address (0x and 40 hex digits)`);
    else if (!isChecksumAddress(text))
      this.fault(`${name} does not pass its checksum (EIP-55): check every digit`);
    else if (/^0x0{40}$/.test(text)) this.fault(`${name} is the zero address`);
    return text;
  }

  /** An absolute http(s) address without credentials and fragment; https unless on this machine. */
  url(name: string, { required, query = false }: { required: boolean; query?: boolean }): string | undefined {
    const text = this.text(name);
    if (text !== undefined) return this.checkUrl(name, text, query);
    if (required) this.fault(`${name} is required: an absolute https address`);
    return undefined;
  }

  /** An address of a PostgreSQL database; it may hold a password, and is never repeated. */
  /** The address without a trailing slash, undefined where it is none. */
  checkUrl(name: string, text: string, query = false): string | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
      this.fault(`${name} must be an absolute http(s) address`);
      return undefined;
    }
    if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
      this.fault(`${name} must be https unless it is on this machine`);
    }
    if (url.username !== '' || url.password !== '' || url.hash !== '') {
      this.fault(`${name} must not carry credentials or a fragment`);
    }
    if (!query && url.search !== '') this.fault(`${name} must not carry a query`);
    return text.replace(/\/+$/, '');
  }
}

function isPrivateKey(text: string): text is `0x${string}` {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}

/** True where only the machine itself can connect. */
export function isLoopbackHost(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '').toLowerCase();
  return plain === 'localhost' || plain === '::1' || /^127(?:\.\d{1,3}){3}$/.test(plain);
}
