import { iso } from '../../domain/clock.ts';
import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import type { Listing } from '../../domain/series.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { Known } from '../../history/queries/known-range.ts';
import type { Scope } from '../../history/queries/scope.ts';
import type { StoreResult } from '../../history/store.ts';
import type { HistoryQueries, Ports } from '../define-product.ts';
import {
  type RowContract,
  type ShownContract,
  type StoredSeries,
  seriesOfRow,
  venuesWithSeveral,
} from './series-contract.ts';

/** The store does not answer; its content stays unknown. */
export const UNREADABLE: Failure = {
  code: 'not_ready',
  detail: 'The history cannot be read at the moment',
  retryAfterSeconds: 5,
};

/** The reader of a service that keeps history. Products that need it are not served without. */
export function readerOf({ history }: Ports): HistoryQueries {
  if (history === undefined) throw new Error('a historical route is served without a history');
  return history.reader;
}

/** The store's answer, or the reason for its failure. A statement that it refuses is a fault of ours. */
export function fromStore<T>(result: StoreResult<T>): Result<T> {
  if (result.ok) return result;
  const { kind, message } = result.fault;
  if (kind === 'refused') throw new Error(`history refused a question: ${message}`);
  return fail(UNREADABLE);
}

type Parts = Parameters<HistoryQueries['buckets']>[1];

/** The contract or asset whose history is requested. */
export interface HistoryTarget {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly venue: VenueId;
  /** The contract, where the name means one and not the asset. */
  readonly symbol?: string | undefined;
}

/** Asks for the series of the venues' rows, or for that of a contract which the name means. */
type SeriesTarget = Pick<HistoryTarget, 'symbol'>;

/** Samples and payments of one span, in the same buckets, of one contract a venue; what is not asked for is empty. */
export async function storedSeries(
  ports: Ports,
  { symbol }: SeriesTarget,
  scope: Scope,
  stepMs: number,
  wanted: { readonly samples: Parts | undefined; readonly payments: boolean },
): Promise<Result<StoredSeries>> {
  const reader = readerOf(ports);
  const rows = ports.market.rowsOf(scope.canonicalId);
  const shown = new Map(rows.map(({ venue, symbol, listedAt }) => [venue, { symbol, listedAt }]));
  const [sampled, settled] = await Promise.all([
    wanted.samples === undefined ? undefined : reader.buckets(scope, wanted.samples, stepMs),
    wanted.payments ? reader.settled(scope, stepMs) : undefined,
  ]);
  const buckets = sampled === undefined ? ok([]) : fromStore(sampled);
  if (!buckets.ok) return buckets;
  const payments = settled === undefined ? ok([]) : fromStore(settled);
  if (!payments.ok) return payments;
  const series = { buckets: buckets.value, payments: payments.value };
  if (symbol !== undefined) {
    const isAsked = (part: Listing): boolean => part.symbol === symbol;
    const own = { buckets: series.buckets.filter(isAsked), payments: series.payments.filter(isAsked) };
    const ofRow = (venue: VenueId): ShownContract => {
      const row = shown.get(venue);
      return row?.symbol === symbol ? row : { symbol };
    };
    return ok(seriesOfRow(own, ofRow));
  }
  const contracts = await rowContracts(reader, scope, shown, venuesWithSeveral(series));
  return contracts.ok ? ok(seriesOfRow(series, contracts.value)) : contracts;
}

/** The contract that each of some venues shows: in the live table, or where it has no row, by what is stored last. */
async function rowContracts(
  reader: HistoryQueries,
  { canonicalId }: Scope,
  shown: ReadonlyMap<VenueId, ShownContract>,
  venues: readonly VenueId[],
): Promise<Result<RowContract>> {
  const rowless = venues.filter((venue) => !shown.has(venue));
  if (rowless.length === 0) return ok((venue) => shown.get(venue));
  const last = fromStore(await reader.shownContracts({ canonicalId, venues: rowless }));
  if (!last.ok) return last;
  return ok((venue) => shown.get(venue) ?? last.value.get(venue));
}

/** 404 for a contract that is not kept: history keeps the most traded one of an asset. Undefined where it is that one. */
export function notStored({ market }: Ports, asked: HistoryTarget): Failure | undefined {
  const { ticker, canonicalId, venue, symbol } = asked;
  const kept = market.row(venue, canonicalId)?.symbol;
  if (symbol === undefined || kept === undefined || kept === symbol) return undefined;
  const detail = `Of ${ticker} on ${venue} the history of the most traded contract is kept, which is ${kept}; nothing is kept of ${symbol} for this time. ticker=${kept} and ticker=${ticker} work`;
  return { code: 'no_data', detail };
}

/** 404 for a window without data, which names the range there is, and what was withdrawn of it and why. */
export async function nothingKnown(
  reader: HistoryQueries,
  window: Scope,
  known: Known,
  what: string,
): Promise<Result<never>> {
  const { from, to, ...scope } = window;
  const found = fromStore(await reader.knownRange(scope, known));
  if (!found.ok) return found;
  const { canonicalId, venues } = scope;
  const where = venues === undefined ? canonicalId : `${canonicalId} on ${venues.join(', ')}`;
  const nothing = `No ${what} of ${where} from ${iso(from)} to ${iso(to)}`;
  const range = found.value;
  const rest = range === undefined ? 'none is known yet' : `known is ${iso(range.from)} to ${iso(range.to)}`;
  const withdrawn = (known === 'settled' ? [] : reader.changes(window, [known])).flatMap(
    ({ factor, before, reason }) =>
      factor === undefined ? `; what was recorded before ${iso(before)} is withdrawn: ${reason}` : [],
  );
  return fail({ code: 'no_data', detail: `${nothing}; ${rest}${withdrawn.join('')}` });
}
