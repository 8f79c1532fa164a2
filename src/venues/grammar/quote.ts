import type { PublishedAmount } from '../../domain/amount.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import type { Reject } from '../../domain/reject.ts';
import { putOpenInterest, putVolume, type StatedAmount } from '../amounts.ts';
import { need, put } from '../quote-field.ts';
import type { ContractRow, Field } from './field.ts';
import type { RowDecoder } from './rows.ts';

/** Where a row states one figure, by what it counts there. */
export interface AmountNames {
  readonly contracts?: string;
  /** Base units as the venue names them. */
  readonly base?: string;
  /** Quote currency. */
  readonly quote?: string;
}

/** Open interest or 24 h volume of a row. */
export interface AmountField {
  /** The unit of the figure, by the venue's `PUBLISHED`. */
  readonly of: PublishedAmount;
  readonly stated: (row: ContractRow) => StatedAmount;
  readonly isRequired?: true;
}

/** Open interest or volume under the venue's names, or by a rule of its own. */
export function amount(of: PublishedAmount, stated: AmountNames | AmountField['stated']): AmountField {
  if (typeof stated === 'function') return { of, stated };
  const { contracts = '', base = '', quote = '' } = stated;
  // No venue has a field without a name.
  return { of, stated: ({ wire }) => ({ contracts: wire[contracts], base: wire[base], quote: wire[quote] }) };
}

type Metric = Exclude<
  keyof QuotePatch,
  'symbol' | `openInterest${'Raw' | 'Base' | 'Usd'}` | `volume24h${string}`
>;

/**
 * Our field of a contract's present state, and its reader. Fields are read in this order; the mark stands
 * before amounts, which it turns into dollars where the venue states none.
 */
export type QuoteTable = {
  readonly [Key in Metric]?: Field<Exclude<QuotePatch[Key], undefined>>;
} & { readonly openInterest?: AmountField; readonly volume24h?: AmountField };

type Step = (patch: QuotePatch, row: ContractRow, rejects: Reject[]) => void;

const PUT_AMOUNT = { openInterest: putOpenInterest, volume24h: putVolume } as const;

function metricStep<Key extends Metric>(key: Key, of: Field<Exclude<QuotePatch[Key], undefined>>): Step {
  const keep = of.isRequired ? need : put;
  return (patch, row, rejects) => {
    if (of.appliesTo?.(row) === false) return;
    const raw = of.raw(row.wire);
    keep(patch, key, of.read(raw, row), raw, rejects);
  };
}

function amountStep(key: keyof typeof PUT_AMOUNT, { of, stated, isRequired }: AmountField): Step {
  const putAmount = PUT_AMOUNT[key];
  const rule = isRequired ? 'required' : 'optional';
  return (patch, row, rejects) => putAmount(patch, of, stated(row), row.units, rejects, rule);
}

const isAmount = (entry: object): entry is AmountField => 'of' in entry;

/** Reads the fields of a table from a row; what cannot be read is a reject. */
export function quoteReader(table: QuoteTable): (row: ContractRow, rejects: Reject[]) => QuotePatch {
  const steps = Object.entries(table).map(([key, entry]) =>
    isAmount(entry)
      ? amountStep(key as keyof typeof PUT_AMOUNT, entry)
      : metricStep(key as Metric, entry as Field<never>),
  );
  return (row, rejects) => {
    const patch: QuotePatch = { symbol: row.symbol };
    for (const step of steps) step(patch, row, rejects);
    return patch;
  };
}

/** Changes what was read by rules that no field has alone. */
type Finish = (patch: QuotePatch, row: ContractRow, rejects: Reject[]) => void;

/** Takes the quotes of rows; a row that states none of the table's fields is a reject, where no fault says why. */
export function quotes(table: QuoteTable, finish?: Finish): RowDecoder {
  const take = quoteChanges(table, finish);
  return (row, out) => {
    const before = out.quotes.length + out.rejects.length;
    take(row, out);
    if (out.quotes.length + out.rejects.length === before)
      out.rejects.push({ symbol: row.symbol, reason: 'missing_field', detail: 'no metric' });
  };
}

/** Takes the quotes of rows that hold only what changed: one in which that is nothing of the table's is no fault. */
export function quoteChanges(table: QuoteTable, finish?: Finish): RowDecoder {
  const read = quoteReader(table);
  const derived = Object.entries(table).flatMap(([key, of]) => ('isDerived' in of ? [key] : []));
  const saysNothing = new Set(['symbol', 'venueTime', ...derived]);
  return (row, out) => {
    const patch = read(row, out.rejects);
    finish?.(patch, row, out.rejects);
    for (const key in patch) {
      if (saysNothing.has(key)) continue;
      out.quotes.push(patch);
      return;
    }
  };
}
