import { checkedEntry, checkedList, type EntrySchema } from './entry-schema.ts';
import { CURRENCY, FLAG, LIST, optional, TEXT } from './member-forms.ts';

/** A currency of a country, as names of contracts spell it. */
export interface Currency {
  readonly code: string;
  /** The name of a share may end in it: the share in its home currency. */
  readonly behindShares?: boolean;
  readonly evidence?: string;
}

interface CurrencyFile {
  readonly currencies: readonly unknown[];
}

const FILE: EntrySchema<CurrencyFile> = { currencies: LIST };
const ENTRY: EntrySchema<Currency> = {
  code: CURRENCY,
  behindShares: optional(FLAG),
  evidence: optional(TEXT),
};

/** Reads the file of currencies. */
export function readCurrencies(json: unknown, faults: string[]): readonly Currency[] {
  const file = checkedEntry(json, FILE, 'currencies', faults);
  return checkedList(file?.currencies ?? [], ENTRY, 'currencies', faults);
}
