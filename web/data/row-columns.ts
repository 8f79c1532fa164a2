import type { FundingRow } from './funding.ts';

/**
 * Rows by field. Between threads they take a tenth of the time of as many objects: a thousand rows have twenty
 * thousand properties, and twenty columns.
 */
export type RowColumns = { readonly [Field in keyof FundingRow]-?: readonly FundingRow[Field][] };

export function columnsOf(rows: readonly FundingRow[]): RowColumns {
  const column = <Field extends keyof FundingRow>(field: Field): FundingRow[Field][] =>
    rows.map((row) => row[field]);
  return {
    ...{ source_id: column('source_id'), venue: column('venue'), symbol: column('symbol') },
    ...{ venue_symbol: column('venue_symbol'), canonical_id: column('canonical_id') },
    ...{ asset_class: column('asset_class'), quote: column('quote'), rate: column('rate') },
    ...{ rate_8h: column('rate_8h'), annualized_pct: column('annualized_pct') },
    funding_interval_hours: column('funding_interval_hours'),
    next_funding_time: column('next_funding_time'),
    ...{ mark_price: column('mark_price'), index_price: column('index_price') },
    ...{ volume_24h: column('volume_24h'), open_interest: column('open_interest') },
    ...{ updated_at: column('updated_at'), rate_updated_at: column('rate_updated_at') },
    mark_updated_at: column('mark_updated_at'),
    uncomparable_reason: column('uncomparable_reason'),
    null_reasons: column('null_reasons'),
  };
}

/** Written out: objects that are made field by field from a list of names take ten times as long. */
function rowAt(columns: RowColumns, at: number): FundingRow {
  const row: { readonly [Field in keyof FundingRow]-?: FundingRow[Field] | undefined } = {
    source_id: columns.source_id[at],
    venue: columns.venue[at],
    symbol: columns.symbol[at],
    venue_symbol: columns.venue_symbol[at],
    canonical_id: columns.canonical_id[at],
    asset_class: columns.asset_class[at],
    quote: columns.quote[at],
    rate: columns.rate[at],
    rate_8h: columns.rate_8h[at],
    annualized_pct: columns.annualized_pct[at],
    funding_interval_hours: columns.funding_interval_hours[at],
    next_funding_time: columns.next_funding_time[at],
    mark_price: columns.mark_price[at],
    index_price: columns.index_price[at],
    volume_24h: columns.volume_24h[at],
    open_interest: columns.open_interest[at],
    updated_at: columns.updated_at[at],
    rate_updated_at: columns.rate_updated_at[at],
    mark_updated_at: columns.mark_updated_at[at],
    uncomparable_reason: columns.uncomparable_reason[at],
    null_reasons: columns.null_reasons[at],
  };
  return row as FundingRow;
}

export const rowsOf = (columns: RowColumns): readonly FundingRow[] =>
  columns.venue.map((_, at) => rowAt(columns, at));
