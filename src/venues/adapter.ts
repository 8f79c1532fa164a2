import type { Decoded } from '../domain/decoded.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueInfo } from '../domain/venue.ts';

/** One HTTP call to a venue. `path` starts with `/` and carries the query; `base` names an entry of `bases`. */
export interface VenueRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly base?: string;
  /** Weight against the budget; the poll's own when absent. */
  readonly weight?: number;
  /** The contract a per-contract call is about. */
  readonly symbol?: string;
}

/** What a decoder may know besides the payload. */
export interface DecodeContext {
  /** Contracts of this venue by its own symbol; empty before the first instrument list. */
  readonly instruments: ReadonlyMap<string, Instrument>;
  /** The request that was answered, where the payload does not repeat what was asked. */
  readonly request?: VenueRequest;
  /** Receipt time; absent when a recorded payload is decoded. */
  readonly receivedAt?: UnixMs;
}

/** Pure: payload in, values out. Bad rows become rejects; never an exception, a clock or I/O. */
export type Decoder = (payload: unknown, context: DecodeContext) => Decoded;

/** A call or frame as someone names it: a path with query, a full URL, a channel, or a JSON subscription. */
export interface CallRef {
  readonly method?: string | undefined;
  /** Path without the query, host removed; the raw text for a channel. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body?: string | undefined;
  /** The text as given. */
  readonly raw: string;
}

/** A call this venue's codec understands. */
export interface VenueCall {
  readonly name: string;
  readonly matches: (ref: CallRef) => boolean;
  readonly decode: Decoder;
}

/** What a poll may look at when it plans its requests. */
export interface PlanContext {
  /** Live contracts, most traded first once volumes are known. */
  readonly instruments: readonly Instrument[];
  readonly now: UnixMs;
}

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
  /** Follow-up page, from the payload just received. */
  readonly nextPage?: (payload: unknown, request: VenueRequest) => VenueRequest | undefined;
  /** Spread the requests evenly over `everyMs` (per-contract calls) instead of sending them at once. */
  readonly spread?: boolean;
}

/** One subscription family on one WebSocket endpoint. */
export interface Stream {
  readonly name: string;
  /** Entry of `bases` and the path behind it. */
  readonly base: string;
  readonly path: string;
  /** Frames this stream understands, for `decode`. */
  readonly call: VenueCall;
  /** Topics to follow; an opaque string each. */
  readonly topics: (plan: PlanContext) => readonly string[];
  /** Client frames that subscribe to these topics. */
  readonly subscribe: (topics: readonly string[], id: number) => readonly string[];
  /** Client frames that end these subscriptions; without it they end with the connection. */
  readonly unsubscribe?: (topics: readonly string[], id: number) => readonly string[];
  readonly topicsPerConnection: number;
  readonly topicsPerFrame: number;
  /** Client frames a second. */
  readonly framesPerSecond: number;
  readonly maxConnections: number;
  readonly compression: 'none' | 'gzip' | 'deflate';
  /** Client keep-alive, where the venue wants one. */
  readonly keepAlive?: { readonly everyMs: number; readonly frame: (now: UnixMs) => string };
  /** Text to answer a server ping carried in a frame with. */
  readonly pong?: (frame: unknown) => string | undefined;
  /** Reconnect when no data frame came for this long; pings do not count. */
  readonly silenceMs: number;
  /** A REST call that must be made first; gives the address to connect to. */
  readonly handshake?: {
    readonly request: VenueRequest;
    readonly address: (payload: unknown) => string | undefined;
  };
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
  /** What a plain `Retry-After` number counts; seconds when absent (RFC 9110). */
  readonly retryAfterUnit?: 'seconds' | 'milliseconds';
}

/** The whole of a venue: data and pure functions. */
export interface VenueAdapter extends VenueInfo {
  /** Default addresses by name; `rest` always, `ws` where there are streams. No trailing slash. */
  readonly bases: Readonly<Record<string, string>>;
  readonly budget: Budget;
  /** How old quotes are at most when all is well, ms; the unit of live and stale. */
  readonly refreshMs: number;
  readonly polls: readonly Poll[];
  readonly streams?: readonly Stream[];
  /** Further calls that the codec decodes (history, books) but that are not polled here. */
  readonly calls?: readonly VenueCall[];
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
