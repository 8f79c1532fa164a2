import type { IdentityRecord, RangeChange } from '../../../market/stores.ts';

/** A range as the server tells it. */
export interface StoredRange {
  readonly venue: string;
  readonly symbol: string;
  readonly generation: number;
  readonly canonical_id: string;
  readonly ticker: string;
  readonly asset_class: IdentityRecord['assetClass'];
  readonly basis: IdentityRecord['basis'];
  readonly valid_from: IdentityRecord['validFrom'];
  readonly valid_to: IdentityRecord['validFrom'] | null;
}

export function recordOf(stored: StoredRange): IdentityRecord {
  const { venue, symbol, ticker, basis, valid_to: validTo } = stored;
  return {
    venue,
    symbol,
    canonicalId: stored.canonical_id,
    ticker,
    assetClass: stored.asset_class,
    basis,
    validFrom: stored.valid_from,
    ...(validTo !== null && { validTo }),
  };
}

type Cells = readonly (string | number | boolean | null)[];

/** The rows of `TAKE_RANGES`: contract by contract, the oldest range first. */
export function rangeRows(records: readonly IdentityRecord[]): readonly Cells[] {
  const contracts = new Map<string, IdentityRecord[]>();
  for (const record of records) {
    const key = `${record.venue}\n${record.symbol}`;
    const ranges = contracts.get(key);
    if (ranges === undefined) contracts.set(key, [record]);
    else ranges.push(record);
  }
  return [...contracts.values()].flatMap((ranges) =>
    ranges
      .sort((a, b) => a.validFrom - b.validFrom)
      .map((it, i) => [
        ...[it.venue, it.symbol, i, it.canonicalId, it.ticker, it.assetClass, it.basis],
        ...[it.validFrom, it.validTo ?? null, i === ranges.length - 1],
      ]),
  );
}

/** Rows as columns, for `unnest`. */
export const columnsOf = (rows: readonly Cells[]): readonly Cells[] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? null));

/** The columns of `CHANGE`, in its order. */
export function changeColumns(changes: readonly RangeChange[]): readonly Cells[] {
  const rows = changes.map(({ venue, symbol, count, before, after }) => {
    const kept = before && after[0];
    const begun = after[before === undefined ? 0 : 1];
    return [
      ...[venue, symbol, count],
      ...[before?.basis, before?.validTo, kept?.basis, kept?.validTo],
      ...[begun?.canonicalId, begun?.ticker, begun?.assetClass, begun?.basis, begun?.validFrom],
    ].map((value) => value ?? null);
  });
  return columnsOf(rows);
}
