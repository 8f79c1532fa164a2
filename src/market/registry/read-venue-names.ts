import type { AssetClass } from '../../domain/instrument.ts';
import type { NameForm, VenueName } from './asset.ts';
import { checkedEntry, checkedList, type EntrySchema } from './entry-schema.ts';
import { CANONICAL_ID, CLASS, LIST, NAME, PATTERN, TEXT, TEXTS_BY_KEY, VENUE } from './member-forms.ts';

/** Meanings of names at single venues. */
export interface VenueNames {
  readonly names: readonly VenueName[];
  readonly forms: readonly NameForm[];
  /** Class of a contract whose venue says nothing and whose name is not curated, by venue. All others: `crypto`. */
  readonly defaultClasses: ReadonlyMap<string, AssetClass>;
}

interface VenueNamesFile {
  readonly names: readonly unknown[];
  readonly forms: readonly unknown[];
  readonly defaultClasses: Readonly<Record<string, string>>;
}

interface FormEntry extends Omit<NameForm, 'form'> {
  readonly form: string;
}

interface DefaultClass {
  readonly venue: string;
  readonly assetClass: AssetClass;
}

const FILE: EntrySchema<VenueNamesFile> = { names: LIST, forms: LIST, defaultClasses: TEXTS_BY_KEY };
const NAMED: EntrySchema<VenueName> = { venue: VENUE, name: NAME, canonicalId: CANONICAL_ID, evidence: TEXT };
const FORM: EntrySchema<FormEntry> = { venue: VENUE, form: PATTERN, assetClass: CLASS, evidence: TEXT };
const DEFAULT: EntrySchema<DefaultClass> = { venue: VENUE, assetClass: CLASS };
const NOTHING: VenueNames = { names: [], forms: [], defaultClasses: new Map() };

/** Reads the file of what names mean at single venues. */
export function readVenueNames(json: unknown, faults: string[]): VenueNames {
  const file = checkedEntry(json, FILE, 'venue names', faults);
  if (file === undefined) return NOTHING;
  const forms = checkedList(file.forms, FORM, 'forms', faults);
  const stated = Object.entries(file.defaultClasses).map(([venue, assetClass]) => ({ venue, assetClass }));
  const classes = checkedList(stated, DEFAULT, 'default classes', faults);
  return {
    names: checkedList(file.names, NAMED, 'names', faults),
    forms: forms.map((entry) => ({ ...entry, form: new RegExp(entry.form) })),
    defaultClasses: new Map(classes.map(({ venue, assetClass }) => [venue, assetClass])),
  };
}
