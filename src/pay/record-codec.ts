import { asMs, type UnixMs } from '../domain/units.ts';
import { usdText } from './amount.ts';
import { paymentKey } from './payment.ts';
import { PAYMENT_STATES, type PaymentRecord, type PaymentState } from './record.ts';
import { formatNamed, type SchemeFormat } from './scheme.ts';

/**
 * A row is a head of numbers, the lengths of the texts, the bytes of those that are hex, and the others as one. No names, and
 * nothing that can be told from the scheme's part and the token: a row is written three times a payment. The first number says
 * which scheme reads the texts between those of the token and of the request. Numbers are as the machine has them, as
 * everything in an LMDB file is.
 */
const NUMBERS = 14;
/** Texts of every payment: three of the token, then those of the scheme, then the others. */
const TEXTS = 13;
const TOKEN_TEXTS = 3;
const LENGTHS_AT = NUMBERS * Float64Array.BYTES_PER_ELEMENT;
/** A scheme may have as many texts. */
const MOST_TEXTS = 64;
/** The length of a text that is undefined. */
const NONE = 0xffff;
/**
 * Added to the number of bytes of a text that is hex in lower case, by what stands before its digits. Rows of ledgers before
 * format 6 have all texts as such.
 */
const HEX = 0x8000;
const PREFIXED_HEX = 0xc000;
const MOST_BYTES = 0x3fff;
const PREFIX = '0x';
const HEX_FORM = /^(?:0x)?(?:[0-9a-f]{2})+$/;

const bytesOfHead = (texts: number): number => LENGTHS_AT + texts * Uint16Array.BYTES_PER_ELEMENT;

/** One head at a time is written here, or read. */
const head = Buffer.from(new ArrayBuffer(bytesOfHead(MOST_TEXTS)));
const numbers = new Float64Array(head.buffer, 0, NUMBERS);
const lengths = new Uint16Array(head.buffer, LENGTHS_AT, MOST_TEXTS);

/** Writes payments into rows of an LMDB ledger, and reads them. */
export interface RecordCodec {
  /** Throws RangeError for a text of 32,768 characters or more. */
  write(record: PaymentRecord): Buffer;
  /** A record that `write` wrote. Throws where the bytes are none. */
  read(bytes: Buffer): PaymentRecord;
  /** The state of a record that `write` wrote. Throws where the bytes are none. */
  stateIn(bytes: Buffer): PaymentState;
}

/** @param formats of all schemes whose payments may be stored */
export function createRecordCodec(formats: readonly SchemeFormat[]): RecordCodec {
  const byNumber = new Map(formats.map((format) => [format.number, format]));
  /** The scheme and the state in a row, whose head is read then. */
  const begin = (bytes: Buffer) => {
    bytes.copy(head);
    const format = byNumber.get(numbers[0] ?? Number.NaN);
    const state = PAYMENT_STATES[numbers[1] ?? Number.NaN];
    const isWhole = format !== undefined && bytes.length >= bytesOfHead(TEXTS + format.textCount);
    if (!isWhole || state === undefined) throw new Error('not a payment of this ledger');
    return { format, state };
  };
  return {
    write: (record) => recordBytes(formatNamed(formats, record.scheme), record),
    read(bytes) {
      const { format, state } = begin(bytes);
      return readRecord(format, state, bytes);
    },
    stateIn: (bytes) => begin(bytes).state,
  };
}

function recordBytes(format: SchemeFormat, record: PaymentRecord): Buffer {
  writeNumbers(format.number, record);
  const texts = textsOf(format, record);
  let text = '';
  let digits = '';
  for (let i = 0; i < texts.length; i++) {
    const one = texts[i];
    const length = lengthOf(one);
    lengths[i] = length;
    if (one === undefined) continue;
    if (length < HEX) text += one;
    else digits += length < PREFIXED_HEX ? one : one.slice(PREFIX.length);
  }
  const headBytes = bytesOfHead(texts.length);
  const bytes = Buffer.allocUnsafe(headBytes + digits.length / 2 + Buffer.byteLength(text));
  head.copy(bytes, 0, 0, headBytes);
  bytes.write(digits, headBytes, 'hex');
  bytes.write(text, headBytes + digits.length / 2, 'utf8');
  return bytes;
}

function lengthOf(text: string | undefined): number {
  if (text === undefined) return NONE;
  const { length } = text;
  if (length > 1 && length <= 2 * MOST_BYTES && HEX_FORM.test(text))
    return text.startsWith(PREFIX) ? PREFIXED_HEX + length / 2 - 1 : HEX + length / 2;
  if (length >= HEX) throw new RangeError(`a payment with a text of ${length} characters`);
  return length;
}

const orNan = (value: number | undefined): number => value ?? Number.NaN;

function writeNumbers(format: number, record: PaymentRecord): void {
  numbers[0] = format;
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

function textsOf(format: SchemeFormat, record: PaymentRecord): Texts {
  return [
    record.network,
    record.asset,
    record.payTo,
    ...format.toTexts(record),
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

function readRecord(format: SchemeFormat, state: PaymentState, bytes: Buffer): PaymentRecord {
  const text = readTexts(bytes, TEXTS + format.textCount);
  const rest = text.slice(TOKEN_TEXTS + format.textCount);
  return {
    version: number(2),
    state,
    ...readPart(format, text),
    paymentIdHash: rest[0],
    routeId: known(rest, 1),
    resource: known(rest, 2),
    resourceHash: known(rest, 3),
    facilitator: rest[4],
    transaction: rest[5],
    proof: readProof(rest[6]),
    reason: rest[7],
    owner: rest[8],
    answerId: rest[9],
    idMisses: number(3),
    attempts: number(4),
    storedBytes: number(5),
    claimedAt: asMs(number(6)),
    settlingAt: time(7),
    settledAt: time(8),
    deliveredAt: time(9),
    closedAt: time(10),
    leaseUntil: time(11),
    dueAt: time(12),
    answerUntil: time(13),
  };
}

/** The token, the scheme's part, and what follows from them. */
function readPart(format: SchemeFormat, text: Texts) {
  const network = known(text, 0);
  const asset = known(text, 1);
  const own = Array.from({ length: format.textCount }, (_, i) => known(text, TOKEN_TEXTS + i));
  const { payer, nonce, amount, signed } = format.fromTexts(own);
  return {
    key: paymentKey(network, asset, { payer, nonce }),
    network,
    asset,
    payTo: known(text, 2),
    payer,
    nonce,
    amount,
    usd: usdText(BigInt(amount)),
    scheme: format.name,
    signed,
    overAt: format.overAt(signed),
  };
}

const number = (at: number): number => numbers[at] ?? Number.NaN;

function time(at: number): UnixMs | undefined {
  const value = number(at);
  return Number.isNaN(value) ? undefined : asMs(value);
}

type Texts = readonly (string | undefined)[];

const isHex = (length: number): boolean => length >= HEX && length !== NONE;

function readTexts(bytes: Buffer, count: number): Texts {
  const own = lengths.subarray(0, count);
  const from = bytesOfHead(count);
  const hexBytes = own.reduce((sum, length) => (isHex(length) ? sum + (length & MOST_BYTES) : sum), 0);
  const digits = bytes.toString('hex', from, from + hexBytes);
  const all = bytes.toString('utf8', from + hexBytes);
  let digitsAt = 0;
  let at = 0;
  return Array.from(own, (length) => {
    if (length === NONE) return undefined;
    if (!isHex(length)) {
      at += length;
      return all.slice(at - length, at);
    }
    const count = 2 * (length & MOST_BYTES);
    digitsAt += count;
    const hex = digits.slice(digitsAt - count, digitsAt);
    return length < PREFIXED_HEX ? hex : PREFIX + hex;
  });
}

function known(text: Texts, at: number): string {
  const value = text[at];
  if (value === undefined) throw new Error(`a payment without its text ${at}`);
  return value;
}

function readProof(text: string | undefined): PaymentRecord['proof'] {
  return text === 'rpc' || text === 'facilitator' ? text : undefined;
}
