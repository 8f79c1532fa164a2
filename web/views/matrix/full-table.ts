import { useMemo } from 'preact/hooks';
import { type Answer, ask, isBought, isOperator, type Ready, useReading } from '../../data/answers.ts';
import type { FundingPage, FundingPreview, FundingRow, PaidRow, SettledMeans } from '../../data/funding.ts';
import { useRowStream } from '../../data/row-stream.ts';
import type { Health } from '../../data/service.ts';

const STREAM = '/v1/stream/rows';
const PAGE = 1000;
/** A table of more pages than these is not read. */
const MOST_PAGES = 40;
const EVERY_MS = 10_000;
/** What was paid changes with the settlements; the service adds it up as often. */
const MEANS_EVERY_MS = 600_000;

/** Rows of the table, and whether they are all of it or the free sample. */
export interface FundingTable {
  readonly rows: readonly FundingRow[];
  readonly isSample: boolean;
  /** What a row's contract was paid; undefined where that is not read. */
  readonly meansOf: (row: FundingRow) => SettledMeans | undefined;
  /** Calls that the whole table takes. */
  readonly paths: readonly string[];
}

const pagePath = (page: number): string =>
  `/v1/funding/current?include_uncomparable=true&settled_means=true&limit=${PAGE}&offset=${page * PAGE}`;

const noMeans = (): undefined => undefined;
const keyOf = ({ venue, canonical_id }: FundingRow): string => `${venue} ${canonical_id}`;

const paths = (pages: number): readonly string[] =>
  Array.from({ length: pages }, (_, page) => pagePath(page));

function tableOf(rows: readonly PaidRow[], calls: readonly string[]): FundingTable {
  const means = new Map(rows.map((row) => [keyOf(row), row.settled_means]));
  return { rows, isSample: false, meansOf: (row) => means.get(keyOf(row)), paths: calls };
}

/** Pages are read one after the other; a row that moved between two of them is counted once. */
async function readAll(first: Ready<FundingPage>, signal: AbortSignal): Promise<Answer<FundingTable>> {
  const rows = new Map<string, PaidRow>();
  const pages = Math.min(MOST_PAGES, Math.max(1, Math.ceil(first.body.total / PAGE)));
  let page: Ready<FundingPage> = first;
  for (let next = 1; ; next += 1) {
    for (const row of page.body.rates) rows.set(keyOf(row), row);
    if (next >= pages) break;
    const answer = await ask<FundingPage>(pagePath(next), signal);
    // Some pages of a table that is sold may not have been bought.
    if (answer.state === 'unpaid') break;
    if (answer.state !== 'ready') return answer;
    page = answer;
  }
  return { ...first, body: tableOf([...rows.values()], paths(pages)) };
}

async function readSample(whole: readonly string[], signal: AbortSignal): Promise<Answer<FundingTable>> {
  const sample = await ask<FundingPreview>('/v1/preview/funding-current', signal);
  if (sample.state !== 'ready') return sample;
  return { ...sample, body: { ...tableOf(sample.body.rates, whole), isSample: true } };
}

/** Calls that the whole table takes now. */
const pagesOf = (rowsNow: number): number => Math.max(1, Math.ceil(rowsNow / PAGE));

async function readTable(signal: AbortSignal): Promise<Answer<FundingTable>> {
  const first = await ask<FundingPage>(pagePath(0), signal);
  return first.state === 'ready' ? readAll(first, signal) : first;
}

/**
 * The whole table where it may be read, live on the operator's port; the free sample where it may not. A table that is
 * for sale is not asked for: the answer would be a price.
 */
export function useFundingTable(health: Answer<Health>): Answer<FundingTable> {
  const known = health.state === 'ready' ? health.body : undefined;
  const isFree = isOperator || known?.payments.mode === 'off';
  const isReadable = isFree || isBought(pagePath(0));
  const pages = pagesOf(known?.rows ?? 0);
  const live = useRowStream(isOperator ? STREAM : undefined);
  const key = isReadable ? 'table' : known === undefined ? undefined : `sample ${pages}`;
  const read = isReadable ? readTable : (signal: AbortSignal) => readSample(paths(pages), signal);
  const asked = useReading(live === 'off' ? key : undefined, read, EVERY_MS);
  // The stream has the rates of now; what was paid is asked for beside it.
  const paid = useReading(live === 'off' ? undefined : 'means', readTable, MEANS_EVERY_MS);
  const meansOf = paid.state === 'ready' ? paid.body.meansOf : noMeans;
  return useMemo(() => {
    if (live === 'off') return asked;
    if (live === undefined) return { state: 'loading' };
    const body = { rows: live.rows, meansOf, isSample: false, paths: paths(pages) };
    const trouble = live.isCut ? { trouble: 'offline' as const } : {};
    return { state: 'ready', body, at: live.at, asOf: null, bought: false, ...trouble };
  }, [live, asked, pages, meansOf]);
}
