import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BASE_NAMES } from '../../domain/base-names.ts';
import { adapterOf, VENUES } from '../../venues/registry.ts';
import { REGISTRY_FILES, readRegistry, registryData } from './registry-data.ts';
import { createRenames, tickerOf } from './renames.ts';

const FOLDER = new URL('./data/', import.meta.url);
const texts = new Map(
  readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')] as const),
);

interface Entry {
  readonly ticker: string;
  readonly slug?: string;
  readonly aliases?: readonly string[];
  readonly grounds?: string;
}
interface AssetFile {
  readonly assetClass: string;
  readonly grounds: Readonly<Record<string, string>>;
  readonly assets: readonly Entry[];
}
const assetFiles = REGISTRY_FILES.assets as readonly AssetFile[];
const data = registryData();

const ascending = (keys: readonly string[]): readonly string[] =>
  keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));

describe('the data files of the registry', () => {
  test('all of the folder are read, each once', () => {
    const { assets, venueNames, currencies, renames } = REGISTRY_FILES;
    const read = [...assets, venueNames, currencies, renames].map((file) => JSON.stringify(file));
    const stored = [...texts.values()].map((text) => JSON.stringify(JSON.parse(text)));
    expect(ascending(read)).toEqual(ascending(stored));
    for (const { assetClass } of assetFiles) expect([...texts.keys()]).toContain(`${assetClass}.json`);
  });

  test('an entry is a line', () => {
    const { names, forms, currencies } = data;
    const entriesOf = (file: string) => texts.get(file)?.match(/^ {4}\{ .+ \},?$/gm)?.length;
    for (const { assetClass, assets } of assetFiles)
      expect(entriesOf(`${assetClass}.json`), assetClass).toBe(assets.length);
    expect(entriesOf('venue-names.json')).toBe(names.length + forms.length);
    expect(entriesOf('currencies.json')).toBe(currencies.length);
  });

  test('entries are sorted by name, those of venues by venue', () => {
    for (const { assetClass, assets, grounds } of assetFiles) {
      const keys = assets.map(({ ticker, slug = ticker }) => `${ticker} ${slug}`);
      expect(keys, assetClass).toEqual(ascending(keys));
      expect(Object.keys(grounds), assetClass).toEqual(ascending(Object.keys(grounds)));
      for (const { ticker, aliases = [] } of assets) expect(aliases, ticker).toEqual(ascending(aliases));
    }
    const names = data.names.map(({ venue, name }) => `${venue} ${name}`);
    expect(names).toEqual(ascending(names));
    // The first form that fits counts, so that the forms of one venue have an order of their own.
    const venues = data.forms.map(({ venue }) => venue);
    expect(venues).toEqual(ascending(venues));
    const codes = data.currencies.map(({ code }) => code);
    expect(codes).toEqual(ascending(codes));
    const classed = [...data.defaultClasses.keys()];
    expect(classed).toEqual(ascending(classed));
  });

  test('grounds: of several entries; a slug differs from the ticker', () => {
    for (const { assetClass, grounds, assets } of assetFiles) {
      for (const key of Object.keys(grounds)) {
        const resting = assets.filter((asset) => asset.grounds === key);
        expect(resting.length, `${assetClass} ${key}`).toBeGreaterThan(1);
      }
      for (const { ticker, slug } of assets) expect(slug, ticker).not.toBe(ticker);
    }
  });

  test('no name stands in two files for one asset', () => {
    const renames = createRenames();
    const former = data.renames.flatMap(({ from }) => {
      const present = renames.presentOf(from);
      return present === undefined ? [] : [`${tickerOf(from)} ${present.canonicalId}`];
    });
    const other = [...BASE_NAMES].map(([name, { ticker }]) => `${name} crypto:${ticker}`);
    const told = new Set([...former, ...other]);
    const twice = data.assets.flatMap(({ canonicalId, aliases }) =>
      aliases.map((alias) => `${alias} ${canonicalId}`).filter((key) => told.has(key)),
    );
    expect(twice).toEqual([]);
  });

  test('venues are those of the service', () => {
    const isVenue = (name: string) =>
      name.endsWith('*') ? VENUES.some(({ id }) => name === `${id}-*`) : adapterOf(name) !== undefined;
    const named = [...data.names, ...data.forms].map(({ venue }) => venue);
    expect([...named, ...data.defaultClasses.keys()].filter((name) => !isVenue(name))).toEqual([]);
  });
});

/** A small set of files, with some replaced. */
const filesWith = (replaced: Partial<typeof REGISTRY_FILES>) => ({
  assets: [classFile({ ticker: 'ABC', evidence: 'a test' })],
  venueNames: { names: [], forms: [], defaultClasses: {} },
  currencies: { currencies: [] },
  renames: { asOf: '2026-01-01', renames: [] },
  ...replaced,
});

function classFile(...assets: readonly object[]) {
  return { assetClass: 'crypto', grounds: { listed: 'Listed in a test' }, assets };
}

const asset = (...assets: readonly object[]) => filesWith({ assets: [classFile(...assets)] });
const ABC = { ticker: 'ABC', grounds: 'listed' };
const NAME = { venue: 'gate', name: 'XY', canonicalId: 'crypto:ABC', evidence: 'a test' };
const named = (name: object) => filesWith({ venueNames: { names: [name], forms: [], defaultClasses: {} } });
const FORM = { venue: 'gate', form: '^(.+)X$', assetClass: 'equity', evidence: 'a test' };
const formed = (form: object) => filesWith({ venueNames: { names: [], forms: [form], defaultClasses: {} } });
const RENAME = {
  from: 'crypto:OLD',
  to: 'crypto:NEW',
  day: '2025-01-10',
  factor: 1,
  history: 'joined',
  state: 'done',
  evidence: 'a test',
  source: 'https://x',
  confidence: 'announced',
};
const renamed = (rename: object) => filesWith({ renames: { asOf: '2026-01-01', renames: [rename] } });
const classed = (defaultClasses: unknown) =>
  filesWith({ venueNames: { names: [], forms: [], defaultClasses } });

describe('the reader', () => {
  test.each([
    ['an entry with evidence', asset({ ...ABC, name: 'A', aliases: ['AB'], range: [1, 2], soleName: false })],
    ['a name of a venue', named(NAME)],
    ['a form', formed(FORM)],
    ['a rename', renamed(RENAME)],
    [
      'a name of a venue for what a rename adds',
      { ...named({ ...NAME, canonicalId: 'crypto:NEW' }), renames: renamed(RENAME).renames },
    ],
    ['a currency', filesWith({ currencies: { currencies: [{ code: 'HKD', behindShares: true }] } })],
  ])('%s: is read', (_what, files) => {
    expect(() => readRegistry(files)).not.toThrow();
  });

  test.each([
    ['no ticker', asset({ grounds: 'listed' }), 'crypto assets[0]: ticker is not a name of capitals'],
    ['a ticker in small letters', asset({ ...ABC, ticker: 'abc' }), 'ticker is not a name of capitals'],
    ['a member that nobody knows', asset({ ...ABC, note: 'x' }), 'note is not known'],
    ['neither grounds nor evidence', asset({ ticker: 'ABC' }), 'crypto:ABC has not one evidence'],
    ['both', asset({ ...ABC, evidence: 'a test' }), 'crypto:ABC has not one evidence'],
    ['grounds that are not there', asset({ ...ABC, grounds: 'other' }), 'crypto:ABC has not one evidence'],
    ['a range upside down', asset({ ...ABC, range: [2, 1] }), 'range is not two prices, the lower one first'],
    ['an alias that is no name', asset({ ...ABC, aliases: ['A/B'] }), 'aliases is not a list of names'],
    ['an asset twice', asset(ABC, ABC), 'crypto:ABC is there twice'],
    ['its own ticker as alias', asset({ ...ABC, aliases: ['ABC'] }), 'ABC is there twice'],
    ['an entry that is no object', filesWith({ assets: [classFile([])] }), 'is no object'],
    [
      'no such class',
      filesWith({ assets: [{ ...classFile(ABC), assetClass: 'coin' }] }),
      'assetClass is not one of',
    ],
    [
      'a name of no asset',
      named({ ...NAME, canonicalId: 'crypto:NONE' }),
      'is crypto:NONE, which is no asset',
    ],
    ['a form without a name in it', formed({ ...FORM, form: '^X$' }), 'form is not a pattern'],
    ['a form that is no pattern', formed({ ...FORM, form: '^(a)[$' }), 'form is not a pattern'],
    ['a class of no venue', classed({ 'A B': 'crypto' }), 'default classes[0]: venue is not a venue'],
    ['a default that is no class', classed({ gate: 'coin' }), 'assetClass is not one of'],
    [
      'a rename with no factor',
      renamed({ ...RENAME, factor: 0 }),
      'renames[0]: factor is not a number above zero',
    ],
    ['a rename from no id', renamed({ ...RENAME, from: 'OLD' }), 'from is not an id'],
    [
      'a currency twice',
      filesWith({ currencies: { currencies: [{ code: 'HKD' }, { code: 'HKD' }] } }),
      'HKD is there twice',
    ],
  ])('%s: is refused, with its place', (_what, files, message) => {
    expect(() => readRegistry(files)).toThrow(message);
  });
});
