import { base64Json } from './base64.ts';

/** One way to pay, as a seller asks for it (x402 version 2). */
export interface Requirement {
  readonly scheme: string;
  /** CAIP-2. */
  readonly network: string;
  /** Atomic units. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string; readonly [member: string]: unknown };
}

/** The terms of a 402. */
export interface Challenge {
  readonly resource?: unknown;
  /** The seller's word for a refusal. */
  readonly error?: unknown;
  /** Entries of the scheme exact. */
  readonly accepts: readonly Requirement[];
  /** Entries of other schemes. */
  readonly others: readonly Requirement[];
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const AMOUNT = /^\d{1,18}$/;
const NETWORK = /^eip155:\d{1,12}$/;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A list of one text reads as that text: what is no text is none. */
const isText = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);

function isRequirement(value: unknown): value is Requirement {
  if (!isRecord(value) || !isRecord(value.extra)) return false;
  const { scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra } = value;
  return (
    typeof scheme === 'string' &&
    isText(network, NETWORK) &&
    isText(amount, AMOUNT) &&
    isText(asset, ADDRESS) &&
    isText(payTo, ADDRESS) &&
    Number.isInteger(maxTimeoutSeconds) &&
    typeof extra.name === 'string' &&
    typeof extra.version === 'string'
  );
}

/** The challenge in the header of a 402, with what can be paid of it; undefined where it cannot be read. */
export function readChallenge(headers: Headers): Challenge | undefined {
  const challenge = base64Json(headers.get('payment-required'));
  if (!isRecord(challenge) || !Array.isArray(challenge.accepts)) return undefined;
  const entries: readonly Requirement[] = challenge.accepts.filter(isRequirement);
  const accepts = entries.filter(({ scheme }) => scheme === 'exact');
  const others = entries.filter(({ scheme }) => scheme !== 'exact');
  return { ...challenge, accepts, others };
}

export const chainIdOf = ({ network }: Pick<Requirement, 'network'>): number =>
  Number(network.slice('eip155:'.length));

/** True if two addresses are the same in any spelling. */
export const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
