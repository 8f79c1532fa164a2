import type { AssetClass } from '../../domain/instrument.ts';
import type { PriceRange, RegistryAsset } from './asset.ts';
import { checkedEntry, checkedList, type EntrySchema } from './entry-schema.ts';
import { CLASS, FLAG, LIST, NAME, NAMES, optional, RANGE, TEXT, TEXTS_BY_KEY } from './member-forms.ts';

/** Assets of one class. */
interface AssetFile {
  readonly assetClass: AssetClass;
  /** Evidence of several entries, by key. */
  readonly grounds: Readonly<Record<string, string>>;
  readonly assets: readonly unknown[];
}

const FILE: EntrySchema<AssetFile> = { assetClass: CLASS, grounds: TEXTS_BY_KEY, assets: LIST };

/** An entry rests on grounds of its file or on evidence of its own. */
interface AssetEntry {
  readonly ticker: string;
  /** Stated where two assets of the class share the ticker. */
  readonly slug?: string;
  readonly name?: string;
  readonly aliases?: readonly string[];
  readonly range?: PriceRange;
  readonly soleName?: boolean;
  readonly grounds?: string;
  readonly evidence?: string;
}

const ENTRY: EntrySchema<AssetEntry> = {
  ticker: NAME,
  slug: optional(NAME),
  name: optional(TEXT),
  aliases: optional(NAMES),
  range: optional(RANGE),
  soleName: optional(FLAG),
  grounds: optional(TEXT),
  evidence: optional(TEXT),
};

const NO_ALIASES: readonly string[] = [];

/** Reads a file of assets of one class. */
export function readAssets(json: unknown, faults: string[]): readonly RegistryAsset[] {
  const file = checkedEntry(json, FILE, 'assets', faults);
  if (file === undefined) return [];
  const { assetClass, grounds } = file;
  return checkedList(file.assets, ENTRY, `${assetClass} assets`, faults).map((entry) => {
    const { ticker, slug = ticker, name, aliases = NO_ALIASES, range, soleName } = entry;
    const evidence = evidenceOf(entry, grounds);
    if (evidence === undefined) faults.push(`${assetClass}:${slug} has not one evidence`);
    return {
      canonicalId: `${assetClass}:${slug}`,
      ticker,
      assetClass,
      aliases,
      evidence: evidence ?? '',
      ...(name === undefined ? {} : { name }),
      ...(range === undefined ? {} : { priceRange: range }),
      ...(soleName === undefined ? {} : { soleName }),
    };
  });
}

/** Undefined where an entry has both kinds or neither, and where the file lacks the grounds. */
function evidenceOf({ grounds, evidence }: AssetEntry, known: AssetFile['grounds']): string | undefined {
  if (grounds === undefined) return evidence;
  return evidence === undefined ? known[grounds] : undefined;
}
