import { asMs, type UnixMs } from '../domain/units.ts';
import { usdText } from './amount.ts';
import { paymentKey } from './payment.ts';
import { PAYMENT_STATES, type PaymentRecord, type PaymentState } from './record.ts';
import { formatNamed, type SchemeFormat } from './scheme.ts';

/**
 * A row is a head of numbers, the lengths of the texts, and the texts as one. No names, and nothing that can be told from
 * the scheme's part and the token: a row is written three times a payment. The first number says which scheme reads the
 * texts between those of the token and of the request. Numbers are as the machine has them, as everything in an LMDB file is.
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

const bytesOfHead = (texts: number): number => LENGTHS_AT + texts * Uint16Array.BYTES_PER_ELEMENT;

/** One head at a time is written here, or read. */
const head = Buffer.from(new ArrayBuffer(bytesOfHead(MOST_TEXTS)));
const numbers = new Float64Array(head.buffer, 0, NUMBERS);
const lengths = new Uint16Array(head.buffer, LENGTHS_AT, MOST_TEXTS);

/** Writes payments into rows of an LMDB ledger, and reads them. */
export interface RecordCodec {
  /** Throws RangeError for a text of 65,535 characters or more. */
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
  for (let i = 0; i < texts.length; i++) lengths[i] = lengthOf(texts[i]);
  const text = texts.join('');
  const headBytes = bytesOfHead(texts.length);
  const bytes = Buffer.allocUnsafe(headBytes + Buffer.byteLength(text));
  head.copy(bytes, 0, 0, headBytes);
  bytes.write(text, headBytes, 'utf8');
  return bytes;
}

function lengthOf(text: string | undefined): number {
  if (text === undefined) return NONE;
  if (text.length >= NONE) throw new RangeError(`a payment with a text of ${text.length} characters`);
  return text.length;
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

function readTexts(bytes: Buffer, count: number): Texts {
  const all = bytes.toString('utf8', bytesOfHead(count));
  let at = 0;
  return Array.from(lengths.subarray(0, count), (length) => {
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

function readProof(text: string | undefined): PaymentRecord['proof'] {
  return text === 'rpc' || text === 'facilitator' ? text : undefined;
}
