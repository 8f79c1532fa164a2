import { isWire, readText, wireArray } from '../domain/read.ts';
import { atomicAmount } from './amount.ts';

/** A route with its price now, as the data file states it. */
export interface PricedRoute {
  readonly id: string;
  readonly path: string;
  readonly usd: string;
}

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

/** The price data file. */
export interface PriceList {
  readonly currency: 'USD';
  readonly routes: readonly PricedRoute[];
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
  const routes = (wireArray(file.routes) ?? []).map((row, i) => readRoute(row, `routes[${i}]`, errors));
  if (routes.length === 0) errors.push('prices: routes must be a list with at least one entry');
  const changelog = (wireArray(file.changelog) ?? []).map((row, i) =>
    readEntry(row, `changelog[${i}]`, errors),
  );
  return errors.length > 0
    ? { ok: false, errors }
    : { ok: true, value: { currency: 'USD', routes, changelog } };
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

/** A list with further changes; each route is listed at its last price. */
export function withPriceChanges(list: PriceList, changes: readonly PriceChangeEntry[]): PriceList {
  const changelog = [...list.changelog, ...changes];
  const ordered = changelog.toSorted((a, b) => Date.parse(a.effective) - Date.parse(b.effective));
  const last = new Map(ordered.flatMap((entry) => entry.changes.map(({ id, usd }) => [id, usd] as const)));
  const routes = list.routes.map((route) => ({ ...route, usd: last.get(route.id) ?? route.usd }));
  return { ...list, routes, changelog: ordered };
}

function readRoute(row: unknown, where: string, errors: string[]): PricedRoute {
  const fields = isWire(row) ? row : {};
  const path = readText(fields.path) ?? '';
  if (!path.startsWith('/')) errors.push(`prices: ${where}.path must begin with /`);
  return { ...readChange(row, where, errors), path };
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
