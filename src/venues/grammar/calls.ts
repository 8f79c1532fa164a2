import type { Instrument } from '../../domain/instrument.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { Poll } from '../adapter.ts';
import type { BackfillEndpoint, BackfillKind } from '../backfill-endpoint.ts';
import type { BookRequest } from '../book-feed.ts';
import type { Decoder, VenueCall, VenueRequest } from '../call.ts';
import type { SecondWay } from '../second-way.ts';

/** An HTTP endpoint, named once: what is requested, and what reads the answer. */
export interface Endpoint extends VenueCall {
  /** As it is requested, without the query. */
  readonly path: string;
  /** Entry of `bases`; `rest` where absent. */
  readonly base?: string;
}

/** Rarer properties of an endpoint. */
export interface EndpointOptions extends Pick<VenueCall, 'alsoAt' | 'answers' | 'former'> {
  /** The last segment of the path where absent. */
  readonly name?: string;
  readonly base?: string;
}

/** The first group of `pattern` in the request's path, percent-decoded; undefined without a match. */
function requestSegment(request: VenueRequest | undefined, pattern: RegExp): string | undefined {
  const found = pattern.exec(request?.path.split('?', 1)[0] ?? '')?.[1];
  if (found === undefined || found === '') return undefined;
  try {
    return decodeURIComponent(found);
  } catch {
    return found;
  }
}

/** The decoder of an endpoint whose path names the contract, which becomes the request's symbol where it has none. */
function byPath(path: string, decode: Decoder): Decoder {
  const before = path.split('/*', 1)[0]?.split('/').at(-1);
  const named = new RegExp(`(?:^|/)${before}/([^/]+)`);
  return (payload, context) => {
    const { request } = context;
    const symbol = request?.symbol ?? requestSegment(request, named);
    if (request === undefined || symbol === undefined) return decode(payload, context);
    return decode(payload, { ...context, request: { ...request, symbol } });
  };
}

/** An endpoint and its decoder; a segment `*` of the path stands for any, the first one for the contract asked for. */
export function endpoint(path: string, decode: Decoder, options: EndpointOptions = {}): Endpoint {
  const segments = path.split('/').filter((segment) => segment !== '*');
  const own = path.includes('*') ? byPath(path, decode) : decode;
  return { name: segments.at(-1) ?? path, path, decode: own, ...options };
}

/** Matches a name of a channel on a venue's only socket: any text that is no path and no address of REST. */
export const ANY_CHANNEL = /^(?!https?:\/\/|\/|[\w-]+\/)/i;

/** The frames of a socket and their decoder. @param frames what a text that names one of its channels holds */
export function socket(name: string, frames: RegExp, decode: Decoder): VenueCall {
  return { name, frames, decode };
}

type Query = Readonly<Record<string, string | number>>;

/** A GET at an endpoint, whose path or query names the contract. */
export function get({ path: own, base }: Endpoint, query: Query = {}, symbol?: string): VenueRequest {
  const path = symbol === undefined ? own : own.replace('*', encodeURIComponent(symbol));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return {
    method: 'GET',
    path: search.size === 0 ? path : `${path}?${search}`,
    ...(base !== undefined && { base }),
    ...(symbol !== undefined && { symbol }),
  };
}

/** A POST at an endpoint. */
export function post({ path, base }: Endpoint, body: unknown, symbol?: string): VenueRequest {
  return {
    method: 'POST',
    path,
    body: JSON.stringify(body),
    ...(base !== undefined && { base }),
    ...(symbol !== undefined && { symbol }),
  };
}

/** Terms on which an endpoint is polled. */
interface PollTerms extends Omit<Poll, 'call' | 'kind' | 'requests' | 'weight' | 'spread'> {
  /** 1 where absent. */
  readonly weight?: number;
  /** Limits the poll to a part of the values that the answers state. */
  readonly part?: { readonly name: string; readonly decode: Decoder };
}

/**
 * A poll that one request, or one for each of several queries, answers for all contracts.
 *
 * @param body of a POST; a GET where absent
 */
export function poll(
  kind: Poll['kind'],
  call: Endpoint,
  {
    query = {},
    body,
    weight = 1,
    part,
    ...terms
  }: PollTerms & { readonly query?: Query | readonly Query[]; readonly body?: unknown },
): Poll {
  const requests = body === undefined ? [query].flat().map((query) => get(call, query)) : [post(call, body)];
  return { call: part ?? call, kind, weight, ...terms, requests: () => requests };
}

/** A poll with one request a contract, spread over its period. */
export function pollEach(
  call: Endpoint,
  { query, weight = 1, part, ...terms }: PollTerms & { readonly query: (instrument: Instrument) => Query },
): Poll {
  return {
    call: part ?? call,
    kind: 'quotes',
    weight,
    spread: true,
    ...terms,
    requests: ({ instruments }) =>
      instruments.map((instrument) => get(call, query(instrument), instrument.symbol)),
  };
}

/** A history endpoint, asked for the span [from, to) of one contract, or for a page of its points. */
export function backfill(
  kind: BackfillKind,
  call: Endpoint,
  {
    query,
    ...terms
  }: Omit<BackfillEndpoint, 'call' | 'kind' | 'request'> & {
    readonly query: (instrument: Instrument, from: UnixMs, to: UnixMs, page: number, size: number) => Query;
  },
): BackfillEndpoint {
  const request: BackfillEndpoint['request'] = (instrument, from, to, page = 1, size = terms.points) =>
    get(call, query(instrument, from, to, page, size), instrument.symbol);
  return { call, kind, ...terms, request };
}

/** A second way to a contract's values: one request for it, or one for all contracts. */
export function secondWay(
  call: Endpoint,
  query: (instrument: Instrument, now: UnixMs) => Query = () => ({}),
  terms: Pick<SecondWay, 'beside' | 'weight' | 'pool' | 'isBulk'> = {},
): SecondWay {
  const request: SecondWay['request'] = (instrument, now) =>
    get(call, query(instrument, now), terms.isBulk ? undefined : instrument.symbol);
  return { call, request, ...terms };
}

/** The same by a POST. */
export function secondWayByPost(
  call: Endpoint,
  body: (instrument: Instrument, now: UnixMs) => unknown,
  terms: Pick<SecondWay, 'weight'> = {},
): SecondWay {
  return {
    call,
    request: (instrument, now) => post(call, body(instrument, now), instrument.symbol),
    ...terms,
  };
}

/** A snapshot of one contract's book over REST. @param levels a side that an answer has at most */
export function bookRequest(
  call: Endpoint,
  query: (instrument: Instrument) => Query,
  { levels, weight = 1 }: { readonly levels?: number; readonly weight?: number } = {},
): BookRequest & { readonly call: VenueCall } {
  const request = (instrument: Instrument) => get(call, query(instrument), instrument.symbol);
  return { call, request, weight, ...(levels !== undefined && { levels }) };
}

/** Whole seconds of a time. */
export const seconds = (at: UnixMs): number => Math.floor(at / 1000);
