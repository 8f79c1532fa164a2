import type { PublishedBounds } from '../domain/funding-bounds.ts';
import type { PublishedStamps } from '../domain/stamp.ts';
import type { VenueInfo } from '../domain/venue.ts';
import type { BackfillEndpoint } from './backfill-endpoint.ts';
import type { BookFeed } from './book-feed.ts';
import type { CallRef, VenueCall, VenueRequest } from './call.ts';
import type { SecondWays } from './second-way.ts';
import type { Heartbeat, PlanContext, QuoteStream } from './stream.ts';

export type { CallRef, DecodeContext, Decoder, VenueCall, VenueRequest } from './call.ts';
export type { PlanContext, QuoteStream, Stream } from './stream.ts';

/** A call made again and again. */
export interface Poll {
  readonly call: VenueCall;
  /** `instruments` runs first and gates the rest; `quotes` are the metrics. */
  readonly kind: 'instruments' | 'quotes';
  /** Time for the whole set of requests, ms. */
  readonly everyMs: number;
  /** Weight of one request. */
  readonly weight: number;
  /** Budget pool, `default` when absent. */
  readonly pool?: string;
  readonly requests: (plan: PlanContext) => readonly VenueRequest[];
  /** Time for one whole answer, ms, where the venue needs more than the transport's own. */
  readonly deadlineMs?: number;
  /** Size of a whole answer when all is well, decompressed, bytes, where it is more than is usual; `answer-bound.ts` bounds it. */
  readonly normalBytes?: number;
  /** Follow-up page, from the payload just received. */
  readonly nextPage?: (payload: unknown, request: VenueRequest) => VenueRequest | undefined;
  /** Spread the requests evenly over `everyMs` (per-contract calls) instead of sending them at once. */
  readonly spread?: boolean;
  /** The evidence that an answer of this poll may have no row when all is well. Without it, an empty answer is a fault. */
  readonly mayBeEmpty?: string;
  /** The venue stamps these rows to the minute: too coarse to tell whether the venue stands still. */
  readonly hasCoarseStamps?: boolean;
}

/** One rate limit of a host: at most `limit` weight in any `perMs`. */
export interface BudgetPool {
  readonly name: string;
  readonly limit: number;
  readonly perMs: number;
  /** Response header that carries the weight used in the window, lower case. */
  readonly usedHeader?: string;
}

/** Limits of a host. Venues with the same `id` share them. */
export interface Budget {
  readonly id: string;
  readonly pools: readonly BudgetPool[];
  /** The unit of a plain `Retry-After` number; seconds when absent (RFC 9110). */
  readonly retryAfterUnit?: 'seconds' | 'milliseconds';
  /**
   * Some venues report a met rate limit in the body of an HTTP 2xx answer: a field, and its values as text.
   * It counts as a 429.
   */
  readonly limitBody?: { readonly field: string; readonly codes: readonly string[] };
  /** An HTTP status, besides 429 and 418, by which the venue says that a limit was met. */
  readonly limitStatus?: LimitStatus;
}

/** Where the same status has other meanings too, `text` tells them apart. */
export interface LimitStatus {
  readonly status: number;
  /**
   * Lower-case text that the body must contain as well; absent where the status alone identifies the limit.
   */
  readonly text?: string;
  /** After this time the venue lifts the ban that the status says, ms; absent where it is no ban. */
  readonly banMs?: number;
}

/** The whole of a venue: data and pure functions. */
export interface VenueAdapter extends VenueInfo {
  /** Default addresses by name; `rest` always, `ws` where there are streams. No trailing slash. */
  readonly bases: Readonly<Record<string, string>>;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The venue's documentation, or another source, states it; streams are held to it. Absent where nothing is
   * streamed.
   */
  readonly heartbeat?: Heartbeat;
  readonly budget: Budget;
  /** Fields without which a row reads as live, because the venue leaves them out of rows that are; `orBlank` also where one is blank. */
  readonly liveWithout?: {
    readonly fields: readonly string[];
    readonly why: string;
    readonly orBlank?: true;
  };
  /** The greatest age of quotes in normal operation, ms; freshness is measured in multiples of it. */
  readonly refreshMs: number;
  readonly polls: readonly Poll[];
  readonly streams?: readonly QuoteStream[];
  /** Order books. */
  readonly books?: BookFeed;
  /** Further calls that the codec decodes (history, books) but that are not polled here. */
  readonly calls?: readonly VenueCall[];
  /**
   * The moment that the timestamp of each kind of historical row marks; every kind that a call states is
   * declared.
   */
  readonly stamps?: PublishedStamps;
  /** The place where the venue publishes a cap and a floor of its rates, if it does. */
  readonly fundingBounds?: PublishedBounds;
  /** Calls that return a contract's history. */
  readonly backfill?: readonly BackfillEndpoint[];
  /** Further ways to read current rows, besides the history endpoints. */
  readonly second?: SecondWays;
  /** Lists sub-venues found at this venue. */
  readonly discovery?: Discovery;
  /** The base as the venue spells it, read from a symbol (`1000PEPE` of `1000PEPEUSDT`); undefined when it cannot be told. */
  readonly baseOf: (symbol: string) => string | undefined;
}

/** A call that finds sub-venues (builder-deployed dexes). */
export interface Discovery {
  readonly everyMs: number;
  readonly weight: number;
  readonly request: VenueRequest;
  /** Adapters of the sub-venues that have a live asset now. */
  readonly adapters: (payload: unknown) => readonly VenueAdapter[];
}

/** All calls of an adapter, in the order in which they are tried. */
export function callsOf(adapter: VenueAdapter): readonly VenueCall[] {
  return [
    ...adapter.polls.map((poll) => poll.call),
    ...(adapter.streams ?? []).map((stream) => stream.call),
    ...(adapter.calls ?? []),
  ];
}

/** Takes apart what a user names a call by: a full URL, a path with query, or a channel. */
export function callRef(text: string, method?: string, body?: string): CallRef {
  const raw = text.trim();
  const withoutHost = raw.replace(/^[a-z]+:\/\/[^/]+/i, '');
  const inline = withoutHost.match(/^(\/\S*)\s+(\{.*\})$/s);
  const target = inline?.[1] ?? withoutHost;
  const q = target.indexOf('?');
  const isPath = target.startsWith('/');
  return {
    method: method?.toUpperCase(),
    path: isPath && q >= 0 ? target.slice(0, q) : target,
    query: new URLSearchParams(isPath && q >= 0 ? target.slice(q + 1) : ''),
    body: body ?? inline?.[2],
    raw,
  };
}
