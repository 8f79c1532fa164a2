import type { RegistryAsset } from './asset.ts';
import commodities from './data/commodity.json' with { type: 'json' };
import crypto from './data/crypto.json' with { type: 'json' };
import currencies from './data/currencies.json' with { type: 'json' };
import equities from './data/equity.json' with { type: 'json' };
import etfs from './data/etf.json' with { type: 'json' };
import fx from './data/fx.json' with { type: 'json' };
import indices from './data/index.json' with { type: 'json' };
import prelaunch from './data/prelaunch.json' with { type: 'json' };
import renames from './data/renames.json' with { type: 'json' };
import venueNames from './data/venue-names.json' with { type: 'json' };
import { readAssets } from './read-assets.ts';
import { type Currency, readCurrencies } from './read-currencies.ts';
import { readRenames } from './read-renames.ts';
import { readVenueNames, type VenueNames } from './read-venue-names.ts';
import type { Rename } from './rename.ts';

/** The data files as they are parsed. */
export interface RegistryFiles {
  /** One a class. */
  readonly assets: readonly unknown[];
  readonly venueNames: unknown;
  readonly currencies: unknown;
  readonly renames: unknown;
}

/** The content of the data files. */
export interface RegistryData extends VenueNames {
  /** As curated, without what renames add. */
  readonly assets: readonly RegistryAsset[];
  readonly currencies: readonly Currency[];
  readonly renames: readonly Rename[];
}

/** The data files of this build. */
export const REGISTRY_FILES: RegistryFiles = {
  assets: [crypto, equities, commodities, indices, fx, etfs, prelaunch],
  venueNames,
  currencies,
  renames,
};

/** Reads data files. Throws where one is not of its form or contradicts another; the message has every fault. */
export function readRegistry(files: RegistryFiles): RegistryData {
  const faults: string[] = [];
  const data = {
    assets: files.assets.flatMap((file) => readAssets(file, faults)),
    ...readVenueNames(files.venueNames, faults),
    currencies: readCurrencies(files.currencies, faults),
    renames: readRenames(files.renames, faults),
  };
  faults.push(...contradictions(data));
  if (faults.length > 0) throw new Error(`registry data: ${faults.join('; ')}`);
  return data;
}

/** Facts that are there twice, and names that point nowhere. */
function contradictions({ assets, names, currencies, renames }: RegistryData): readonly string[] {
  const ids = new Set(assets.map(({ canonicalId }) => canonicalId));
  const present = new Set([...ids, ...renames.map(({ to }) => to)]);
  const lost = names.filter(({ canonicalId }) => !present.has(canonicalId));
  return [
    ...repeated(assets.map(({ canonicalId }) => canonicalId)),
    ...assets.flatMap(({ ticker, aliases }) => (aliases.length > 0 ? repeated([ticker, ...aliases]) : [])),
    ...repeated(names.map(({ venue, name }) => `${name} on ${venue}`)),
    ...repeated(currencies.map(({ code }) => code)),
    ...repeated(renames.map(({ from, to, day }) => `${from} to ${to} on ${day}`)),
    ...lost.map(({ venue, name, canonicalId }) => `${name} on ${venue} is ${canonicalId}, which is no asset`),
  ];
}

const repeated = (keys: readonly string[]): readonly string[] =>
  keys.length === new Set(keys).size ? [] : keys.filter((key, at) => keys.indexOf(key) < at).map(said);

const said = (key: string): string => `${key} is there twice`;

let shipped: RegistryData | undefined;

/** The content of this build's data files; read once. */
export function registryData(): RegistryData {
  shipped ??= readRegistry(REGISTRY_FILES);
  return shipped;
}
