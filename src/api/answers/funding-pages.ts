import type { UnixMs } from '../../domain/units.ts';
import type { MarketRow, MarketView } from '../../market/view.ts';
import { fundingRowText, fundingTime } from './funding-row.ts';

/** Which rows, and which part of them. */
export interface FundingPage {
  /** Ticker as answered; undefined = all. */
  readonly symbol: string | undefined;
  readonly comparableOnly: boolean;
  readonly rows: readonly MarketRow[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** A row belongs to the funding list when its rate is known. */
const hasRate = (row: MarketRow): boolean => row.fundingRate !== undefined;

/** Rows with a rate: all of them, or those that passed the identity and dispersion checks. */
export function fundingRows(rows: readonly MarketRow[], comparableOnly: boolean): readonly MarketRow[] {
  return rows.filter((row) => hasRate(row) && (row.comparable || !comparableOnly));
}

/** The filtered table, filtered once per state of the table and shared by all pages of it. */
export class FundingPages {
  readonly #market: MarketView;
  #of: readonly MarketRow[] | undefined;
  #comparable: readonly MarketRow[] | undefined;
  #all: readonly MarketRow[] | undefined;

  constructor(market: MarketView) {
    this.#market = market;
  }

  /** All rows of the table that belong to the list, in table order. */
  rows(comparableOnly: boolean): readonly MarketRow[] {
    const table = this.#market.rows();
    if (table !== this.#of) {
      this.#of = table;
      this.#comparable = undefined;
      this.#all = undefined;
    }
    if (comparableOnly) {
      this.#comparable ??= fundingRows(table, true);
      return this.#comparable;
    }
    this.#all ??= fundingRows(table, false);
    return this.#all;
  }
}

/** The answer's JSON, put together from the rows' cached text. */
export function writeFundingPage(page: FundingPage): string {
  const head = `{"symbol":${JSON.stringify(page.symbol ?? 'ALL')},"comparable_only":${page.comparableOnly},"rates":[`;
  const more = page.offset + page.rows.length < page.total;
  const tail = `],"total":${page.total},"limit":${page.limit},"offset":${page.offset},"has_more":${more}}`;
  return head + page.rows.map(fundingRowText).join(',') + tail;
}

/** Age of the oldest rate of the page. */
export function oldestRate(rows: readonly MarketRow[]): UnixMs | undefined {
  let oldest: UnixMs | undefined;
  for (const row of rows) {
    const time = fundingTime(row);
    if (oldest === undefined || time < oldest) oldest = time;
  }
  return oldest;
}
