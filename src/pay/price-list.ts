import { isWire, readText, wireArray } from '../domain/read.ts';
import { atomicAmount } from './amount.ts';

/** One price of one route from a date on. */
interface PriceChange {
  readonly id: string;
  readonly usd: string;
}

/** A dated entry of the price changelog. */
export interface PriceChangeEntry {
  /** ISO 8601 UTC: the prices hold from then on. */
  readonly effective: string;
  readonly note: string;
  readonly changes: readonly PriceChange[];
}

/** The price data file. The last entry that names a route has its price. */
export interface PriceList {
  readonly currency: 'USD';
  readonly changelog: readonly PriceChangeEntry[];
}

export type ReadPriceList =
  | { readonly ok: true; readonly value: PriceList }
  | { readonly ok: false; readonly errors: readonly string[] };

export type ReadPriceChanges =
  | { readonly ok: true; readonly value: readonly PriceChangeEntry[] }
  | { readonly ok: false; readonly errors: readonly string[] };

/** Reads the price data file; all faults of form at once. */
export function readPriceList(json: unknown): ReadPriceList {
  const errors: string[] = [];
  const file = isWire(json) ? json : {};
  if (file.currency !== 'USD') errors.push('prices: currency must be USD');
  const changes = readPriceChanges(json);
  if (!changes.ok) errors.push(...changes.errors);
  return changes.ok && errors.length === 0
    ? { ok: true, value: { currency: 'USD', changelog: changes.value } }
    : { ok: false, errors };
}

/** Reads a file of further changes, `{ "changelog": [...] }` in the form of the data file; all faults of form at once. */
export function readPriceChanges(json: unknown): ReadPriceChanges {
  const errors: string[] = [];
  const rows = isWire(json) ? wireArray(json.changelog) : undefined;
  if (rows === undefined || rows.length === 0) {
    errors.push('prices: changelog must be a list with at least one entry');
  }
  const changelog = (rows ?? []).map((row, i) => readEntry(row, `changelog[${i}]`, errors));
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: changelog };
}

/** A list with further files of shipped prices: entries of one time are one, its changes in the order of ids. */
export function withFurtherPrices(list: ReadPriceList, files: readonly unknown[]): ReadPriceList {
  if (!list.ok) return list;
  const entries = new Map<string, PriceChangeEntry>();
  const add = (entry: PriceChangeEntry): void => {
    entries.set(entry.effective, joined(entries.get(entry.effective), entry));
  };
  list.value.changelog.forEach(add);
  const errors: string[] = [];
  for (const file of files) {
    const read = readPriceChanges(file);
    if (!read.ok) errors.push(...read.errors);
    else read.value.forEach(add);
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, value: { ...list.value, changelog: inOrder([...entries.values()]) } };
}

function joined(known: PriceChangeEntry | undefined, entry: PriceChangeEntry): PriceChangeEntry {
  if (known === undefined) return entry;
  const changes = [...known.changes, ...entry.changes].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { ...known, note: known.note || entry.note, changes };
}

const inOrder = (entries: readonly PriceChangeEntry[]): readonly PriceChangeEntry[] =>
  entries.toSorted((a, b) => Date.parse(a.effective) - Date.parse(b.effective));

const pricedIds = (changelog: readonly PriceChangeEntry[]): ReadonlySet<string> =>
  new Set(changelog.flatMap(({ changes }) => changes.map(({ id }) => id)));

/** A list with further changes, in the order of their times. Fails where one is of a route that the list does not price. */
export function withPriceChanges(list: PriceList, changes: readonly PriceChangeEntry[]): ReadPriceList {
  const priced = pricedIds(list.changelog);
  const unknown = [...pricedIds(changes)].filter((id) => !priced.has(id));
  const errors = unknown.map((id) => `prices: the changelog names ${id}, which is not listed`);
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, value: { ...list, changelog: inOrder([...list.changelog, ...changes]) } };
}

function readChange(row: unknown, where: string, errors: string[]): PriceChange {
  const fields = isWire(row) ? row : {};
  const id = readText(fields.id) ?? '';
  const usd = readText(fields.usd) ?? '';
  if (!/^[a-z0-9-]+$/.test(id)) errors.push(`prices: ${where}.id must be lower-case letters, digits and -`);
  if ((atomicAmount(usd) ?? 0n) <= 0n) errors.push(`prices: ${where}.usd must be a positive decimal text`);
  return { id, usd };
}

function readEntry(row: unknown, where: string, errors: string[]): PriceChangeEntry {
  const fields = isWire(row) ? row : {};
  const effective = readText(fields.effective) ?? '';
  if (!Number.isFinite(Date.parse(effective)) || !effective.endsWith('Z')) {
    errors.push(`prices: ${where}.effective must be an ISO 8601 time in UTC`);
  }
  const changes = (wireArray(fields.changes) ?? []).map((change, i) =>
    readChange(change, `${where}.changes[${i}]`, errors),
  );
  return { effective, note: readText(fields.note) ?? '', changes };
}
