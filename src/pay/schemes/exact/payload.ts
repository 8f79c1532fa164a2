import { isWire, type Wire } from '../../../domain/read.ts';
import { isAddress } from '../../address.ts';
import { own } from '../../payment-text.ts';
import type { ReadPayment } from '../../scheme.ts';
import type { Authorization, SignedAuthorization } from './authorization.ts';

const DECIMAL = /^(?:0|[1-9]\d{0,77})$/;
const NONCE = /^0x[0-9a-fA-F]{64}$/;
const HEX = /^0x[0-9a-fA-F]+$/;
/** Whole bytes of a signature; a contract wallet's may be long. */
const MAX_SIGNATURE_BYTES = 4_096;

/** The payment of an `exact` payload; undefined where it is none. */
export function readPayload(payload: Wire): ReadPayment<SignedAuthorization> | undefined {
  const authorization = readAuthorization(own(payload, 'authorization'));
  const signature = own(payload, 'signature');
  if (authorization === undefined || !isSignature(signature)) return undefined;
  const signed = { signature: canonicalSignature(signature), authorization };
  return { payer: authorization.from, nonce: authorization.nonce, signed };
}

function isSignature(value: unknown): value is string {
  return matches(HEX, value) && value.length % 2 === 0 && value.length <= 2 + 2 * MAX_SIGNATURE_BYTES;
}

/** 65 bytes that end in a recovery id. */
const WITH_RECOVERY_ID = /^0x[0-9a-f]{128}0[01]$/;
/** Where r is an address, the signature is a contract wallet's (an approved hash of Safe ends in 1). */
const OF_ADDRESS = /^0x0{24}/;

/**
 * In lower case, v as the token takes it: signers that count recovery ids from 0 mean 27 and 28. The same form is compared,
 * kept and passed on.
 */
function canonicalSignature(signature: string): string {
  const text = signature.toLowerCase();
  if (!WITH_RECOVERY_ID.test(text) || OF_ADDRESS.test(text)) return text;
  return `${text.slice(0, -2)}${text.endsWith('0') ? '1b' : '1c'}`;
}

function matches(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function readAuthorization(value: unknown): Authorization | undefined {
  if (!isWire(value)) return undefined;
  const from = own(value, 'from');
  const to = own(value, 'to');
  const nonce = own(value, 'nonce');
  const amount = own(value, 'value');
  const validAfter = own(value, 'validAfter');
  const validBefore = own(value, 'validBefore');
  if (!isAddress(from) || !isAddress(to) || !matches(NONCE, nonce)) return undefined;
  if (!matches(DECIMAL, amount) || !matches(DECIMAL, validAfter) || !matches(DECIMAL, validBefore))
    return undefined;
  return {
    from: from.toLowerCase(),
    to: to.toLowerCase(),
    value: amount,
    validAfter,
    validBefore,
    nonce: nonce.toLowerCase(),
  };
}
