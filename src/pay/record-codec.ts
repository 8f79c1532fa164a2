import { asMs, type UnixMs } from '../domain/units.ts';
import { usdText } from './amount.ts';
import { type Authorization, paymentKey } from './payment.ts';
import { PAYMENT_STATES, type PaymentRecord, type PaymentState } from './record.ts';

/** Said first in every row: how the rest is written. */
const FORMAT = 1;

/**
 * A row is a head of numbers, the lengths of the texts, and the texts as one. No names, and nothing that can be told from
 * the authorization and the token: a row is written three times a payment. Numbers are as the machine has them, as
 * everything in an LMDB file is.
 */
const NUMBERS = 14;
const TEXTS = 20;
const LENGTHS_AT = NUMBERS * Float64Array.BYTES_PER_ELEMENT;
const HEAD_BYTES = LENGTHS_AT + TEXTS * Uint16Array.BYTES_PER_ELEMENT;
/** The length of a text that is undefined. */
const NONE = 0xffff;

/** One head at a time is written here, or read. */
const head = Buffer.from(new ArrayBuffer(HEAD_BYTES));
const numbers = new Float64Array(head.buffer, 0, NUMBERS);
const lengths = new Uint16Array(head.buffer, LENGTHS_AT, TEXTS);

/** The record as it is stored. Throws RangeError for a text of 65,535 characters or more. */
export function recordBytes(record: PaymentRecord): Buffer {
  writeNumbers(record);
  const texts = textsOf(record);
  for (let i = 0; i < TEXTS; i++) lengths[i] = lengthOf(texts[i]);
  const text = texts.join('');
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + Buffer.byteLength(text));
  bytes.set(head);
  bytes.write(text, HEAD_BYTES, 'utf8');
  return bytes;
}

function lengthOf(text: string | undefined): number {
  if (text === undefined) return NONE;
  if (text.length >= NONE) throw new RangeError(`a payment with a text of ${text.length} characters`);
  return text.length;
}

const orNan = (value: number | undefined): number => value ?? Number.NaN;

function writeNumbers(record: PaymentRecord): void {
  numbers[0] = FORMAT;
  numbers[1] = PAYMENT_STATES.indexOf(record.state);
  numbers[2] = record.version;
  numbers[3] = record.idMisses;
  numbers[4] = record.attempts;
  numbers[5] = record.storedBytes;
  numbers[6] = record.claimedAt;
  numbers[7] = orNan(record.settlingAt);
  numbers[8] = orNan(record.settledAt);
  numbers[9] = orNan(record.deliveredAt);
  numbers[10] = orNan(record.closedAt);
  numbers[11] = orNan(record.leaseUntil);
  numbers[12] = orNan(record.dueAt);
  numbers[13] = orNan(record.answerUntil);
}

function textsOf(record: PaymentRecord): readonly (string | undefined)[] {
  const { authorization } = record;
  return [
    record.network,
    record.asset,
    record.payTo,
    authorization.from,
    authorization.to,
    authorization.value,
    authorization.validAfter,
    authorization.validBefore,
    authorization.nonce,
    record.signature,
    record.paymentIdHash,
    record.routeId,
    record.resource,
    record.resourceHash,
    record.facilitator,
    record.transaction,
    record.proof,
    record.reason,
    record.owner,
    record.answerId,
  ];
}

/** The state of a record that `recordBytes` wrote. Throws where the bytes are none. */
export function stateIn(bytes: Buffer): PaymentState {
  bytes.copy(head);
  const state = PAYMENT_STATES[numbers[1] ?? Number.NaN];
  if (bytes.length < HEAD_BYTES || numbers[0] !== FORMAT || state === undefined) {
    throw new Error('not a payment of this ledger');
  }
  return state;
}

/** A record that `recordBytes` wrote. Throws where the bytes are none. */
export function readRecord(bytes: Buffer): PaymentRecord {
  const state = stateIn(bytes);
  const text = readTexts(bytes);
  const authorization = readAuthorization(text);
  return {
    key: paymentKey(known(text, 0), known(text, 1), authorization),
    version: number(2),
    state,
    routeId: known(text, 11),
    resource: known(text, 12),
    resourceHash: known(text, 13),
    network: known(text, 0),
    asset: known(text, 1),
    payTo: known(text, 2),
    payer: authorization.from,
    nonce: authorization.nonce,
    amount: authorization.value,
    usd: usdText(BigInt(authorization.value)),
    authorization,
    signature: known(text, 9),
    paymentIdHash: text[10],
    idMisses: number(3),
    claimedAt: asMs(number(6)),
    settlingAt: time(7),
    settledAt: time(8),
    deliveredAt: time(9),
    closedAt: time(10),
    facilitator: text[14],
    transaction: text[15],
    proof: readProof(text[16]),
    reason: text[17],
    owner: text[18],
    leaseUntil: time(11),
    dueAt: time(12),
    attempts: number(4),
    answerId: text[19],
    storedBytes: number(5),
    answerUntil: time(13),
  };
}

const number = (at: number): number => numbers[at] ?? Number.NaN;

function time(at: number): UnixMs | undefined {
  const value = number(at);
  return Number.isNaN(value) ? undefined : asMs(value);
}

type Texts = readonly (string | undefined)[];

function readTexts(bytes: Buffer): Texts {
  const all = bytes.toString('utf8', HEAD_BYTES);
  let at = 0;
  return Array.from(lengths, (length) => {
    if (length === NONE) return undefined;
    at += length;
    return all.slice(at - length, at);
  });
}

function known(text: Texts, at: number): string {
  const value = text[at];
  if (value === undefined) throw new Error(`a payment without its text ${at}`);
  return value;
}

function readAuthorization(text: Texts): Authorization {
  const from = known(text, 3);
  const to = known(text, 4);
  const value = known(text, 5);
  const validAfter = known(text, 6);
  const validBefore = known(text, 7);
  const nonce = known(text, 8);
  return { from, to, value, validAfter, validBefore, nonce };
}

function readProof(text: string | undefined): PaymentRecord['proof'] {
  return text === 'rpc' || text === 'facilitator' ? text : undefined;
}
