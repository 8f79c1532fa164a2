import type { Row } from '../book-distortion.ts';

/** No value, where a number is optional. */
const NULL = -(2n ** 63n);

/** A message of a book as the world has it, rows with their text. */
interface BookEvent {
  readonly market: string;
  readonly seqNo: number;
  readonly at: number;
  readonly isWhole: boolean;
  readonly bids: readonly Row[];
  readonly asks: readonly Row[];
}

function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16LE(value, i * 2);
  return bytes;
}

function int64(...values: readonly bigint[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [i, value] of values.entries()) bytes.writeBigInt64LE(value, i * 8);
  return bytes;
}

/** A decimal text as a count of 10^-8. */
function mantissa(text: string): bigint {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole + part.slice(0, 8).padEnd(8, '0'));
}

const group = (rows: readonly Row[]): Buffer =>
  Buffer.concat([
    uint16(16, rows.length),
    ...rows.map(([price, size]) => int64(mantissa(String(price)), mantissa(String(size)))),
  ]);

/** A `BookEvent` (template 3) of schema 1, version 1; best prices are not stated, as on channels without retail orders. */
export function bookEvent({ market, seqNo, at, isWhole, bids, asks }: BookEvent): Buffer {
  const block = Buffer.concat([
    int64(BigInt(at) * 1000n, BigInt(seqNo)),
    Buffer.from([isWhole ? 0 : 1]),
    int64(...Array.from({ length: 9 }, () => NULL)),
  ]);
  const name = Buffer.from(market, 'utf8');
  return Buffer.concat([
    uint16(block.length, 3, 1, 1),
    block,
    group(bids),
    group(asks),
    Buffer.from([name.length]),
    name,
  ]);
}
