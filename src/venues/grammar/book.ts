import { type BookLevel, type BookUpdate, MAX_SEQUENCE } from '../../domain/book.ts';
import { readNumber, type Wire } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import type { UnixMs } from '../../domain/units.ts';
import { fieldFault } from '../field-fault.ts';
import { keyedLevels } from '../keyed-levels.ts';
import { readLevels } from '../levels.ts';
import { isStated } from '../quote-field.ts';
import { type ContractRow, type Field, field } from './field.ts';
import type { RowDecoder } from './rows.ts';

/** Levels of one side, in ticker units; undefined where any of them cannot be read. */
export type SideReader = (row: ContractRow) => BookLevel[] | undefined;

/** The layout of a book message. Sizes count contracts, or base units at venues whose contracts are one. */
export interface BookTable {
  readonly bids: SideReader;
  readonly asks: SideReader;
  readonly sequence?: Field<number>;
  /** First sequence that a delta covers. */
  readonly firstSequence?: Field<number>;
  /** Sequence that a delta follows. */
  readonly previousSequence?: Field<number>;
  readonly venueTime?: Field<UnixMs>;
}

/** The sequence just before a message's own, where a venue numbers messages by one. */
export const before = (name: string): Field<number> =>
  field(name, (raw) => {
    const sequence = readNumber(raw);
    return sequence === undefined ? undefined : sequence - 1;
  });

const scaleOf = ({ units: { perContract = 1 } }: ContractRow): number => perContract;

/** Levels `[price, size, …]` of a row, wherever they stand. */
export const levelsOf = (levels: unknown, row: ContractRow): BookLevel[] | undefined =>
  readLevels(levels, row.units.multiplier, scaleOf(row));

/** Levels `[price, size, …]`. */
export const arrayLevels =
  (name: string): SideReader =>
  (row) =>
    levelsOf(row.wire[name], row);

/** Levels written as objects. */
export const objectLevels =
  (name: string, price: string, size: string): SideReader =>
  (row) =>
    keyedLevels(row.wire[name], price, size, row.units.multiplier, scaleOf(row));

/** Single orders written as objects, best first, added up by price; a side without any may be null. */
export const ordersAddedUp =
  (name: string, price: string, size: string): SideReader =>
  (row) => {
    if (row.wire[name] === null) return [];
    const sizes = new Map<number, number>();
    const orders = objectLevels(name, price, size)(row);
    for (const [at, amount] of orders ?? []) sizes.set(at, (sizes.get(at) ?? 0) + amount);
    return orders && [...sizes];
  };

/** A side whose levels come in another order; bids are to begin with the highest. */
export const bestFirst =
  (side: SideReader, which: 'bids' | 'asks'): SideReader =>
  (row) =>
    side(row)?.sort(([x], [y]) => (which === 'bids' ? y - x : x - y));

/** A side that is left out where nothing of it changed. */
export const orNone =
  (name: string, side: SideReader): SideReader =>
  (row) =>
    (row.wire[name] ?? null) === null ? [] : side(row);

type Stamps = {
  -readonly [Key in 'sequence' | 'firstSequence' | 'previousSequence' | 'venueTime']?: BookUpdate[Key];
};

/** Stands for a missing sequence number. */
const NO_SEQUENCE = -1;

/** Puts what numbers and dates a message. False where its place among the others is stated and cannot be read. */
function putStamps(table: BookTable, row: ContractRow, stamps: Stamps, rejects: Reject[]): boolean {
  const put = <Key extends keyof Stamps>(
    key: Key,
    of: Field<NonNullable<Stamps[Key]>> | undefined,
  ): boolean => {
    if (of === undefined) return true;
    const raw = of.raw(row.wire);
    const stamp = of.read(raw, row);
    const isReadable = stamp !== undefined && Math.abs(stamp) <= MAX_SEQUENCE;
    if (isReadable) stamps[key] = stamp;
    if (isReadable || !isStated(raw) || readNumber(raw) === NO_SEQUENCE) return true;
    rejects.push(fieldFault(row.symbol, of.name || key, raw));
    return false;
  };
  const { sequence, firstSequence, previousSequence, venueTime } = table;
  put('venueTime', venueTime);
  return (
    put('sequence', sequence) &&
    put('firstSequence', firstSequence) &&
    put('previousSequence', previousSequence)
  );
}

/**
 * Takes book messages; a side or a sequence that cannot be read makes one a reject. As long as no list of
 * contracts states what sizes count, they stay in contracts and the book is marked `unknown_unit`.
 */
export function book(
  table: BookTable,
  kind: BookUpdate['kind'] | ((wire: Wire) => BookUpdate['kind']),
): RowDecoder {
  return (row, out) => {
    const { symbol, units, wire } = row;
    const bids = table.bids(row);
    const asks = table.asks(row);
    if (bids === undefined || asks === undefined) {
      out.rejects.push({ symbol, reason: 'malformed', detail: bids === undefined ? 'bids' : 'asks' });
      return;
    }
    if (units.perContract === undefined)
      out.rejects.push({ symbol, reason: 'unknown_unit', detail: 'sizes count contracts' });
    const stamps: Stamps = {};
    if (!putStamps(table, row, stamps, out.rejects)) return;
    if (table.sequence?.isRequired && stamps.sequence === undefined) {
      out.rejects.push(fieldFault(symbol, 'sequence', table.sequence.raw(wire)));
      return;
    }
    const update = { symbol, kind: typeof kind === 'function' ? kind(wire) : kind, bids, asks };
    out.books.push({ ...update, ...stamps });
  };
}
