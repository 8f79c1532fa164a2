import type { TObject, TSchema } from 'typebox';
import type { IndexMoves } from '../analytics/index-moves.ts';
import type { LoadState } from '../collect/load-watch.ts';
import type { HealthBoard } from '../collect/ports.ts';
import type { Clock } from '../domain/clock.ts';
import type { Result } from '../domain/errors.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { HistoryReader } from '../history/reader.ts';
import type { BookView } from '../market/books/book-view.ts';
import type { RowSnapshots } from '../market/row-snapshots.ts';
import type { MarketView } from '../market/view.ts';
import type { PaymentInfo } from './payments.ts';
import type { Declared, RawParameters } from './request/parameters.ts';
import type { StoreState } from './store-state.ts';

export type Access = 'free' | 'paid';

/**
 * What an answer depends on, besides the request:
 * `table` = the live table, `books` = the order books and the table, `history` = what is stored, and the minute, `table-history` = that and the live table, `second` = the clock, `document` = nothing that changes while the service runs.
 */
export type Freshness = 'table' | 'books' | 'history' | 'table-history' | 'second' | 'document';

export type Content =
  | { readonly json: unknown }
  /** JSON text put together from cached pieces, written only where `basis` has changed. */
  | { readonly write: () => string }
  | { readonly bytes: Buffer; readonly contentType: string; readonly fileName?: string };

/** What a handler returns. */
export interface HandlerResult {
  readonly content: Content;
  /** Time of the oldest row used. */
  readonly asOf?: UnixMs | undefined;
  /** Venues whose rows were used; those that list the asset and could not be used go to `missing`. */
  readonly sources?: readonly VenueId[];
  readonly missing?: readonly VenueId[];
  /** What the bytes were made of: while it stays the same, element by element, so do the bytes. */
  readonly basis?: readonly unknown[];
}

export type Production = Result<HandlerResult> | Promise<Result<HandlerResult>>;

/** A request that was understood; producing its answer is all that is left. */
export interface Plan {
  readonly produce: () => Production;
}

/** What a route says of itself. */
export interface RouteText {
  /** Stable name, also in the price list: `funding-current`. */
  readonly id: string;
  /** Path template as in the contract: `/v1/funding/spread/{symbol}`. */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  /** Distinct, factual, at most 500 characters. */
  readonly description: string;
  readonly tags: readonly string[];
  readonly freshness: Freshness;
  /** A request, and what it was answered with; none for answers that are no JSON. */
  readonly example?: { readonly request: string; readonly answer: unknown };
  /** ISO 8601: when description, parameters, answer or example last changed. */
  readonly revisedAt: string;
  /** Media type of the answer where it is not application/json. */
  readonly contentType?: string;
  /** Further media types, for who asks for a file. */
  readonly fileTypes?: readonly string[];
}

/** A route as the service uses it. */
export interface Route extends RouteText {
  readonly query: TObject;
  readonly params: TObject;
  readonly output: TSchema;
  readonly queryParameters: ReadonlyMap<string, Declared>;
  readonly pathParameters: ReadonlyMap<string, Declared>;
  /** Reads text into the declared types. */
  readonly read: (path: RawParameters, query: RawParameters) => Result<Readonly<Record<string, unknown>>>;
  readonly plan: (input: Readonly<Record<string, unknown>>, services: Services) => Result<Plan>;
}

/** Whether a route answers with data, which has a time, and not with a document. */
export const answersData = ({ freshness }: Pick<RouteText, 'freshness'>): boolean => freshness !== 'document';

/** What the service says of itself. */
export interface ServiceInfo {
  /** Public address, without a trailing slash: never taken from a request. */
  readonly baseUrl: string;
  readonly name: string;
  readonly version: string;
  /** Whether the venues behind the data are real. */
  readonly data: 'live' | 'simulated';
  readonly startedAt: UnixMs;
}

/** The questions that history answers. */
export type HistoryQueries = Pick<
  HistoryReader,
  'buckets' | 'settled' | 'interestAt' | 'baselines' | 'knownRange' | 'corrections'
>;

/** What historical answers are made of. */
export interface HistoryView {
  readonly reader: HistoryQueries;
  /** Grows with every write. */
  readonly version: number;
}

/** All that a handler may look at. */
export interface Services {
  /** The live table, and the rows of a few assets as they were a short while ago. */
  readonly market: MarketView & RowSnapshots;
  readonly health: HealthBoard;
  readonly clock: Clock;
  readonly payments: PaymentInfo;
  readonly service: ServiceInfo;
  readonly routes: readonly Route[];
  readonly store?: () => StoreState;
  /** How the machine keeps up, where that is watched. */
  readonly load?: () => LoadState;
  /** What was measured of venues' index moves, where they are followed. */
  readonly indexMoves?: () => ReadonlyMap<VenueId, IndexMoves>;
  /** History, where it is kept. */
  readonly history?: HistoryView;
  /** Order books that are in order. */
  readonly books: BookView;
}
