import { type Decoded, emptyDecoded } from '../../../domain/decoded.ts';
import { readBase, readNumber, type Wire } from '../../../domain/read.ts';
import { asBps, type BaseQty, type Bps } from '../../../domain/units.ts';
import { fieldFault } from '../../../venues/field-fault.ts';
import { type ContractRow, type Field, field } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { isStated } from '../../../venues/quote-field.ts';
import type { SpotReject } from '../spot-rows.ts';

/** The reader of each of our fields. */
export type FieldTable<Row> = { readonly [Key in keyof Row]?: Field<NonNullable<Row[Key]>> };

/** A row of a spot answer in the form in which fields of the venues' grammar read it. */
export const spotRow = (wire: Wire, symbol: string, multiplier = 1): ContractRow => ({
  wire,
  symbol,
  units: { multiplier, perContract: multiplier },
  context: { instruments: new Map() },
});

/**
 * Reads the fields of a table. A field that is stated and cannot be read is a fault, and so is one that the call always
 * states and this row does not; blank, null and zero say that there is no value.
 */
export function readFields<Row>(
  table: FieldTable<Row>,
  row: ContractRow,
  rejects: SpotReject[],
): Partial<Row> {
  const found: Partial<Row> = {};
  for (const key in table) {
    const of = table[key] as Field<NonNullable<Row[typeof key]>>;
    const raw = of.raw(row.wire);
    const value = of.read(raw, row);
    if (value !== undefined) found[key] = value;
    else if (isStated(raw) || (of.isRequired && (raw ?? '') === ''))
      rejects.push(fieldFault(row.symbol, of.name || key, raw));
  }
  return found;
}

/** The rows of an answer, by the readers of the venues' grammar. */
export function rowsFrom(rowsOf: RowsOf, payload: unknown, rejects: SpotReject[]): readonly unknown[] {
  const out: Decoded = emptyDecoded();
  const rows = rowsOf(payload, out);
  rejects.push(...out.rejects);
  return rows;
}

/** An amount of base units at the touch, which is more than none. */
export const size = (name: string | number): Field<BaseQty> =>
  field(name, (raw, { units }) => {
    const amount = readBase(raw, units.multiplier);
    return amount === undefined || amount === 0 ? undefined : amount;
  });

/** A traded amount of base units. None at all is one, too. */
export const baseVolume = (name: string | number): Field<BaseQty> =>
  field(name, (raw, { units }) => readBase(raw, units.multiplier));

/** A traded value. None at all is one, too. */
export const value = <T extends number = number>(name: string | number): Field<T> =>
  field(name, (raw) => {
    const amount = readNumber(raw);
    return amount !== undefined && amount >= 0 && amount < 1e18 ? (amount as T) : undefined;
  });

/** The largest taker fee that a venue's list has, basis points. */
const MAX_FEE_BPS = 100;

/** A taker fee. None at all is one, too. @param scale to basis points (100 for percent, 10,000 for a fraction) */
export const fee = (name: string | number, scale: number): Field<Bps> =>
  field(name, (raw) => readFeeBps(raw, scale));

export function readFeeBps(raw: unknown, scale: number): Bps | undefined {
  const stated = readNumber(raw);
  if (stated === undefined || stated < 0 || stated * scale > MAX_FEE_BPS) return undefined;
  return asBps(Math.round(stated * scale * 1e4) / 1e4);
}

/** A flag. */
export const flag = (name: string): Field<boolean> =>
  field(name, (raw) => (typeof raw === 'boolean' ? raw : undefined));

/** A value of the answer around the rows, given to each of them under a name that no venue has. */
export const AROUND = 'answer:time';

export const withTime = (rows: readonly unknown[], time: unknown): readonly unknown[] =>
  rows.map((row) =>
    typeof row === 'object' && row !== null && !Array.isArray(row) ? { ...row, [AROUND]: time } : row,
  );
