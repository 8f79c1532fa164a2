import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { iso } from '../domain/clock.ts';
import { asMs } from '../domain/units.ts';
import { checksumAddress } from './address.ts';
import { type PaymentRecord, pathOf } from './record.ts';
import type { SaleReceipts } from './sale.ts';

/** The first byte where the parts of both texts follow a sum, decoded from base64url; no text begins with it. */
const DECODED = 1;
const HEAD_BYTES = 5;
/** Lengths of parts are of two bytes. */
const LONGEST = 0xffff;
const SEPARATOR = '.';
/** Little memory, which is what a small deflate spends its time on. */
const DEFLATE = { windowBits: 11, memLevel: 3 } as const;

/** Text that most receipts have. It is a part of the format, as the order of the facts of a sale behind it is. */
const COMMON =
  '{"issuedAt":,"network":"","payer":"","resourceUrl":"https://","transaction":"","version":1}{"amount":"","as_of":"",' +
  '"asset":"","body_sha256":"","issued_at":"","json_sha256":"","network":"","payer":"","request":"GET ","route_table":"",' +
  '"sources":"","transaction":"","version":1}';

/** Text that the receipts of a settled payment repeat. Nothing of it changes once it is settled. */
function dictionaryOf(sale: PaymentRecord): Buffer {
  const { network, asset, payTo, payer, amount, transaction = '', resource, settledAt = asMs(0) } = sale;
  const facts = [payTo, transaction, network, asset, checksumAddress(payer), amount, pathOf(sale), resource];
  const times = [iso(settledAt), String(Math.floor(settledAt / 1000))];
  return Buffer.from(COMMON + [...facts, ...times].join('\n'), 'utf8');
}

/**
 * The receipts of a sale as a ledger keeps them beside it, in few bytes: what its record says is not said again. The signatures
 * stay as they were made, since the secrets of ended keys are destroyed.
 */
export function receiptBytes(sale: PaymentRecord, { official, answer }: SaleReceipts): Buffer {
  const parts = [official, answer].flatMap(partsOf);
  // Text of another form than three parts in base64url stays as it is, as those of ledgers before format 6 do.
  if (parts.length !== 6) return Buffer.from(`${official}\n${answer}`, 'latin1');
  const head = Buffer.of(DECODED, 0, 0, 0, 0);
  head.writeUInt32BE(crc32(official + answer), 1);
  const all = Buffer.concat(parts.flatMap((part) => [Buffer.of(part.length >> 8, part.length & 0xff), part]));
  return Buffer.concat([head, deflateRawSync(all, { ...DEFLATE, dictionary: dictionaryOf(sale) })]);
}

/**
 * The receipts that `receiptBytes` wrote for this sale.
 *
 * @returns undefined where the bytes are damaged or those of another sale
 */
export function readReceiptBytes(sale: PaymentRecord, bytes: Buffer): SaleReceipts | undefined {
  if (bytes[0] !== DECODED) {
    const [official, answer] = bytes.toString('latin1').split('\n');
    return official === undefined || answer === undefined ? undefined : { official, answer };
  }
  try {
    const all = inflateRawSync(bytes.subarray(HEAD_BYTES), { ...DEFLATE, dictionary: dictionaryOf(sale) });
    const parts: Buffer[] = [];
    for (let at = 0; at < all.length; ) {
      const from = at + 2;
      at = from + all.readUInt16BE(at);
      parts.push(all.subarray(from, at));
    }
    const receipts = { official: joined(parts.slice(0, 3)), answer: joined(parts.slice(3)) };
    return crc32(receipts.official + receipts.answer) === bytes.readUInt32BE(1) ? receipts : undefined;
  } catch {
    return undefined;
  }
}

const joined = (parts: readonly Buffer[]): string =>
  parts.map((part) => part.toString('base64url')).join(SEPARATOR);

/** The bytes of three parts in base64url; none where the text is something else. */
function partsOf(text: string): readonly Buffer[] {
  const parts = text.split(SEPARATOR).map((part) => Buffer.from(part, 'base64url'));
  return parts.length === 3 && text.length <= LONGEST && joined(parts) === text ? parts : [];
}
