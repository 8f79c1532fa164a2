import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass, Instrument } from '../../domain/instrument.ts';
import type { AnnouncedContract } from '../../domain/list-report.ts';
import { printable } from '../../domain/printable.ts';
import { isWire, readNumber, readText, type Wire } from '../../domain/read.ts';
import type { Reject, RejectReason } from '../../domain/reject.ts';
import { isReadableSymbol, type SymbolAlphabet } from '../../domain/symbol.ts';
import { baseName } from '../../domain/ticker.ts';
import type { Bps, Hours, RatePerInterval, UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import type { ContractUnits } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import { isStated } from '../quote-field.ts';
import { readTakerFeeBps } from '../taker-fee.ts';
import { type ContractRow, type Field, field, isRow } from './field.ts';
import type { RowDecoder, RowsOf } from './rows.ts';
import { readTerms, type TermsTable } from './terms.ts';

/** The same for all contracts, or stated by each row. */
type Given<T extends string | number> = T | Field<T>;

/** The layout of rows of a list of contracts. */
export interface ContractTable {
  readonly venue: VenueId;
  /** Field that names the contract. */
  readonly symbol: string;
  /** Characters of the venue's names beyond the usual ones. */
  readonly alphabet?: SymbolAlphabet;
  /**
   * The reason for which a row is no live linear perpetual, by the venue's own type and status, never by its
   * values.
   */
  readonly leftOut: (wire: Wire, symbol: string, context: DecodeContext) => Reject | RejectReason | undefined;
  readonly base: Field<string>;
  /** The asset's name where the base carries more than that. */
  readonly assetOf?: (base: string) => string;
  readonly quote: Given<string>;
  /** The quote currency where absent. */
  readonly settle?: Given<string>;
  /** Base units in one contract. */
  readonly contractSize: Given<number>;
  readonly assetClass?: Field<AssetClass>;
  /** The venue's own time of the listing, by `listing` or `listingText`. */
  readonly listedAt?: Field<UnixMs>;
  readonly fundingIntervalHours?: Given<Hours>;
  readonly fundingCap?: Given<RatePerInterval>;
  readonly fundingFloor?: Given<RatePerInterval>;
  readonly indexId?: Field<string>;
  readonly altId?: Field<string>;
  readonly takerFeeBps?: OwnFee;
  readonly indicativeBook?: Field<boolean>;
  /** Terms on which the contract is traded. */
  readonly terms?: TermsTable;
}

/** Base units in one contract, as a row states them. */
export const contractSize = (name: string): Field<number> =>
  field(name, (raw) => {
    const size = readNumber(raw);
    return size !== undefined && size > 0 && size <= 1e12 ? size : undefined;
  });

/** A taker fee of a contract's own; one that equals the usual is none. */
type OwnFee = Field<Bps> & { readonly usual?: Bps };

/**
 * The taker fee of one contract, where it differs from the venue's.
 *
 * @param usual the venue's base tier
 * @param scale to a fraction of the notional (0.01 for percent)
 */
export const ownTakerFee = (name: string, usual: Bps, scale = 1): OwnFee => ({
  ...field(name, (raw) => readTakerFeeBps((readNumber(raw) ?? Number.NaN) * scale)),
  usual,
});

const REQUIRED = ['base', 'quote', 'settle', 'contractSize'] as const;
const OPTIONAL = [
  'assetClass',
  'listedAt',
  'fundingIntervalHours',
  'fundingCap',
  'fundingFloor',
  'indexId',
  'altId',
  'takerFeeBps',
  'indicativeBook',
] as const;
/** One of these that is stated and cannot be read is a fault: another value would stand in for it, or a call needs it. */
const MUST_BE_READ: ReadonlySet<string> = new Set([
  'listedAt',
  'fundingIntervalHours',
  'fundingCap',
  'fundingFloor',
  'takerFeeBps',
  'indexId',
  'altId',
]);
/** Characters of a name that cannot be taken which a reject shows. */
const MAX_SHOWN = 40;
const unitsOf = (multiplier: number, size: number): ContractUnits => ({
  multiplier,
  perContract: multiplier * size,
});
const NO_UNITS: ContractUnits = { multiplier: 1, perContract: undefined };

/**
 * True if an optional field that gave no value should have: the call always states it, or this row does. A
 * class may have a name that is new; an object is none.
 */
const isFaulty = (key: string, of: Field<unknown>, raw: unknown): boolean =>
  of.isRequired === true || isWire(raw) || (MUST_BE_READ.has(key) && isStated(raw));

/** Calls, identities and rows are built from these names. */
const NAMES = ['base', 'quote', 'settle', 'indexId', 'altId'] as const;

/** The name itself is no symbol of a reject: rejects are shown. */
const unreadable = (field: string, name: string): Reject => ({
  symbol: null,
  reason: 'unreadable_symbol',
  detail: `${field}: ${printable(name, MAX_SHOWN)}`,
});

/** The contract of a row, or why it is left out. @param faults takes what is wrong with a contract that is not left out */
export function readContract(
  table: ContractTable,
  row: unknown,
  context: DecodeContext,
  faults: Reject[],
): Instrument | Reject {
  if (!isRow(row)) return { symbol: null, reason: 'malformed', detail: 'row' };
  const symbol = readText(row[table.symbol]);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: table.symbol };
  if (!isReadableSymbol(symbol, table.alphabet)) return unreadable(table.symbol, symbol);
  const why = table.leftOut(row, symbol, context);
  if (why !== undefined) return typeof why === 'string' ? { symbol, reason: why } : why;
  const found: Record<string, unknown> = {};
  const read = (of: Given<string> | Given<number> | Field<boolean>): unknown =>
    typeof of === 'object' ? of.read(of.raw(row), { wire: row, symbol, units: NO_UNITS, context }) : of;
  for (const key of REQUIRED) {
    const of = table[key] ?? table.quote;
    found[key] = read(of);
    if (found[key] === undefined && typeof of === 'object')
      return fieldFault(symbol, of.name || key, of.raw(row));
  }
  for (const key of OPTIONAL) {
    const of = table[key];
    const value = of === undefined ? undefined : read(of);
    if (value === undefined && typeof of === 'object' && isFaulty(key, of, of.raw(row)))
      faults.push(fieldFault(symbol, of.name, of.raw(row)));
    if (value !== undefined && !(key === 'takerFeeBps' && value === table[key]?.usual)) found[key] = value;
  }
  for (const key of NAMES) {
    const name = found[key];
    if (typeof name === 'string' && !isReadableSymbol(name, table.alphabet)) return unreadable(key, name);
  }
  const { venue, assetOf = String } = table;
  const named = baseName(assetOf(String(found.base)));
  const instrument = { venue, symbol, ...named, ...found } as Instrument;
  return withTerms(instrument, table.terms, { wire: row, context }, faults);
}

/** Adds the terms that the contract's row states, in the units that it has. */
function withTerms(
  instrument: Instrument,
  table: TermsTable | undefined,
  { wire, context }: Pick<ContractRow, 'wire' | 'context'>,
  faults: Reject[],
): Instrument {
  if (table === undefined) return instrument;
  const { symbol, multiplier, contractSize: size } = instrument;
  const terms = readTerms(table, { wire, symbol, units: unitsOf(multiplier, size), context }, faults);
  return terms === undefined ? instrument : { ...instrument, terms };
}

/**
 * The contract that a row announces; undefined for an inverse one, and where the row does not name its asset. It is no
 * fault: a row of a contract that does not trade yet may lack anything.
 */
function announcedBy(
  table: ContractTable,
  wire: unknown,
  context: DecodeContext,
): AnnouncedContract | undefined {
  if (!isRow(wire)) return undefined;
  const symbol = readText(wire[table.symbol]);
  if (symbol === undefined) return undefined;
  const row: ContractRow = { wire, symbol, units: NO_UNITS, context };
  const read = <T extends string | number>(of: Given<T> | undefined): T | undefined =>
    typeof of === 'object' ? of.read(of.raw(wire), row) : of;
  const base = read(table.base);
  if (base === undefined || !isReadableSymbol(base, table.alphabet)) return undefined;
  if (read(table.settle ?? table.quote) === base) return undefined;
  const listsAt = read(table.listedAt);
  const { ticker } = baseName((table.assetOf ?? String)(base));
  return { symbol, ticker, ...(listsAt !== undefined && { listsAt }) };
}

/** Adds the contracts of rows; a row that is none of ours becomes the reject that says why. */
export function addContracts(
  rows: readonly unknown[],
  table: ContractTable,
  context: DecodeContext,
  out: Decoded,
): void {
  for (const row of rows) addContract(table, row, context, out);
}

/** Decodes a list of contracts. */
export function contractList(rowsOf: RowsOf, table: ContractTable): Decoder {
  return (payload, context) => {
    const out = emptyDecoded();
    addContracts(rowsOf(payload, out), table, context, out);
    return out;
  };
}

function addContract(
  table: ContractTable,
  row: unknown,
  context: DecodeContext,
  out: Decoded,
): Instrument | undefined {
  const found = readContract(table, row, context, out.rejects);
  if ('reason' in found) {
    out.rejects.push(found);
    const announced = found.reason === 'prelisting' ? announcedBy(table, row, context) : undefined;
    if (announced !== undefined) out.announced = [...(out.announced ?? []), announced];
    return undefined;
  }
  out.instruments.push(found);
  return found;
}

/** Decodes a list of contracts whose rows state metrics as well, in the units of the row itself. */
export function contractsWithQuotes(rowsOf: RowsOf, table: ContractTable, take: RowDecoder): Decoder {
  return (payload, context) => {
    const out = emptyDecoded();
    for (const wire of rowsOf(payload, out)) {
      const found = addContract(table, wire, context, out);
      if (found === undefined || !isRow(wire)) continue;
      const { symbol, multiplier, contractSize: size } = found;
      if (context.instruments.size === 0 || context.instruments.has(symbol))
        take({ wire, symbol, units: unitsOf(multiplier, size), context }, out);
      else out.rejects.push({ symbol, reason: 'not_listed' });
    }
    return out;
  };
}
