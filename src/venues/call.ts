import type { Decoded } from '../domain/decoded.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { UnixMs } from '../domain/units.ts';

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

/** Inputs of a decoder besides the payload. */
export interface DecodeContext {
  /** Contracts of this venue by its own symbol; empty before the first instrument list. */
  readonly instruments: ReadonlyMap<string, Instrument>;
  /** The request that was answered, where the payload does not repeat what was asked. */
  readonly request?: VenueRequest;
  /** Receipt time; absent when a recorded payload is decoded. */
  readonly receivedAt?: UnixMs;
  /** Last known mark of a contract, for figures whose unit only a price can tell. */
  readonly markOf?: (symbol: string) => number | undefined;
  /** Columns that the last packed frame of the same connection stated. */
  readonly columns?: readonly string[];
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

/** A call this venue's decoders understand: an endpoint by its path, or a socket by its channels. */
export interface VenueCall {
  readonly name: string;
  readonly decode: Decoder;
  /** Path of the endpoint, `*` for any segment. */
  readonly path?: string;
  /** Further paths with the same answers. */
  readonly alsoAt?: readonly string[];
  /** True if a query or a body asks for this one, where a path has answers of several kinds. */
  readonly answers?: (query: URLSearchParams, body?: string) => boolean;
  /** Recordings made until this day have an older format, which this decoder reads. */
  readonly former?: { readonly until: string; readonly decode: Decoder };
  /** Matches a text that names one of the socket's channels. */
  readonly frames?: RegExp;
}
