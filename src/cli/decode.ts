import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { nearestPaths } from '../api/request/nearest.ts';
import type { BookUpdate } from '../domain/book.ts';
import { iso } from '../domain/clock.ts';
import { completeQuote } from '../domain/complete.ts';
import type { ContractTerms } from '../domain/contract-terms.ts';
import { DATA_KINDS, type DataKind, type DataOf, type Decoded } from '../domain/decoded.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { FundingPoint, HistoryPoint, QuotePatch } from '../domain/quote.ts';
import { isWire } from '../domain/read.ts';
import { baseName } from '../domain/ticker.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type {
  DecodedRecord,
  RecordedCall,
  RecordedMarket,
  RecordingContext,
} from '../host/recorded-market.ts';
import {
  type CallRef,
  callRef,
  callsOf,
  type DecodeContext,
  type VenueAdapter,
  type VenueCall,
} from '../venues/adapter.ts';
import { adapterOf, VENUES } from '../venues/registry.ts';
import { matchingCall, recordedCall } from './named-call.ts';

export interface DecodeOptions {
  readonly venue: string;
  readonly market?: string;
  readonly url: string;
  readonly method?: string;
  readonly body?: string;
  readonly context?: readonly string[];
  readonly receivedAt?: string;
}

type Line = DecodedRecord;

/** Kinds of markets besides perpetuals, by their names. */
export type OtherMarkets = ReadonlyMap<string, () => Promise<RecordedMarket>>;

const PERPETUAL = 'perpetual';

/** Drops what is not known, so that a line holds facts only. */
function known(fields: Line): Line {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const isoOr = (t: UnixMs | undefined): string | undefined => (t === undefined ? undefined : iso(t));

function nameOf(adapter: VenueAdapter, symbol: string, instruments: ReadonlyMap<string, Instrument>): Line {
  const listed = instruments.get(symbol);
  if (listed !== undefined) return { ticker: listed.ticker, multiplier: listed.multiplier };
  const base = adapter.baseOf(symbol);
  return base === undefined ? {} : { ...baseName(base) };
}

function quoteLine(
  patch: QuotePatch,
  adapter: VenueAdapter,
  instruments: DecodeContext['instruments'],
): Line {
  const q = completeQuote(patch);
  return known({
    type: 'quote',
    venue: adapter.id,
    symbol: q.symbol,
    ...nameOf(adapter, q.symbol, instruments),
    funding_rate: q.fundingRate,
    funding_interval_hours: q.fundingIntervalHours ?? instruments.get(q.symbol)?.fundingIntervalHours,
    next_funding_time: isoOr(q.nextFundingTime),
    mark_price: q.markPrice,
    index_price: q.indexPrice,
    open_interest_raw: q.openInterestRaw,
    open_interest_base: q.openInterestBase,
    open_interest_usd: q.openInterestUsd,
    volume_24h_raw: q.volume24hRaw,
    volume_24h_base: q.volume24hBase,
    volume_24h_usd: q.volume24hUsd,
    best_bid: q.bestBid,
    best_ask: q.bestAsk,
    updated_at: isoOr(q.venueTime),
  });
}

function instrumentLine(i: Instrument): Line {
  return known({
    type: 'instrument',
    venue: i.venue,
    symbol: i.symbol,
    base: i.base,
    ticker: i.ticker,
    multiplier: i.multiplier,
    contract_size: i.contractSize,
    quote: i.quote,
    settle: i.settle,
    asset_class: i.assetClass,
    listed_at: isoOr(i.listedAt),
    funding_interval_hours: i.fundingIntervalHours,
    index_id: i.indexId,
    taker_fee_bps: i.takerFeeBps,
    funding_cap: i.fundingCap,
    funding_floor: i.fundingFloor,
    terms: i.terms && termsLine(i.terms),
  });
}

/** Terms of a contract as its list states them, per unit of the ticker. */
const termsLine = (terms: ContractTerms): Line =>
  known({
    tick: terms.tick,
    price_digits: terms.priceDigits,
    lot: terms.lot,
    min_size: terms.minSize,
    min_notional_usd: terms.minNotionalUsd,
    max_leverage: terms.maxLeverage,
    initial_margin: terms.initialMargin,
    maintenance_margin: terms.maintenanceMargin,
    position_limit: terms.positionLimit,
    position_limit_usd: terms.positionLimitUsd,
    open_interest_limit: terms.openInterestLimit,
    open_interest_limit_usd: terms.openInterestLimitUsd,
    trading_hours: terms.tradingHours,
    delists_at: isoOr(terms.delistsAt),
  });

function fundingLine(p: FundingPoint, { id: venue }: VenueAdapter): Line {
  return known({
    type: 'funding_point',
    venue,
    symbol: p.symbol,
    time: iso(p.time),
    funding_rate: p.rate,
    funding_interval_hours: p.intervalHours,
    mark_price: p.markPrice,
    observed: p.observed,
  });
}

function historyLine(p: HistoryPoint, { id: venue }: VenueAdapter): Line {
  return known({
    type: 'history_point',
    venue,
    symbol: p.symbol,
    time: iso(p.time),
    mark_price: p.markPrice,
    index_price: p.indexPrice,
    open_interest_base: p.openInterestBase,
    open_interest_usd: p.openInterestUsd,
    volume_usd: p.volumeUsd,
    hour_usd: p.hourUsd,
  });
}

function bookLine(b: BookUpdate, { id: venue }: VenueAdapter): Line {
  return known({
    type: 'book',
    venue,
    symbol: b.symbol,
    kind: b.kind,
    bids: b.bids,
    asks: b.asks,
    sequence: b.sequence,
    first_sequence: b.firstSequence,
    previous_sequence: b.previousSequence,
    updated_at: isoOr(b.venueTime),
  });
}

type LineOf<Row> = (row: Row, adapter: VenueAdapter, instruments: DecodeContext['instruments']) => Line;

const LINES: { readonly [K in DataKind]: LineOf<DataOf[K]> } = {
  quotes: quoteLine,
  instruments: instrumentLine,
  funding: fundingLine,
  history: historyLine,
  books: bookLine,
};

/** Decoded content as the command prints it: a record per quote, contract, point, book and reject. */
export function* decodedLines(adapter: VenueAdapter, d: Decoded, instruments: DecodeContext['instruments']) {
  const linesOf = <K extends DataKind>(kind: K, rows: readonly DataOf[K][]): Line[] =>
    rows.map((row) => LINES[kind](row, adapter, instruments));
  for (const kind of DATA_KINDS) yield* linesOf(kind, d[kind]);
  for (const reject of d.rejects) yield known({ type: 'reject', venue: adapter.id, ...reject });
}

function parseLine(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    // A recorded session keeps each frame as text beside its receipt time.
    if (isWire(value) && typeof value.frame === 'string' && Object.keys(value).length === 2) {
      return parseLine(value.frame);
    }
    return value;
  } catch {
    return line;
  }
}

/**
 * One JSON document, or one a line. A line that is no JSON stays text: the decoder says what it makes of it. A
 * page in the place of an answer is one text, however many lines it has.
 */
function parsePayloads(content: string): unknown[] {
  try {
    return [JSON.parse(content)];
  } catch {
    if (content.trimStart().startsWith('<')) return [content];
    return content
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.length > 0)
      .map(parseLine);
  }
}

/** Contracts from a recorded instrument payload: whichever call of the venue reads most of them from it. */
function contractsFrom(adapter: VenueAdapter, payload: unknown): readonly Instrument[] {
  const lists = callsOf(adapter).map(
    (call) => recordedCall(call).decode(payload, { instruments: new Map() }).instruments,
  );
  return lists.reduce((best, list) => (list.length > best.length ? list : best), []);
}

function contextOf(adapter: VenueAdapter, { lists, request, receivedAt }: RecordingContext): DecodeContext {
  const listed = lists.flatMap((payload) => contractsFrom(adapter, payload));
  const instruments = new Map(listed.map((instrument) => [instrument.symbol, instrument]));
  return { instruments, request, ...(receivedAt !== undefined && { receivedAt }) };
}

/** Writes to standard output; false when its reader has closed the pipe, as `head` does after its lines. */
async function print(lines: Iterable<string>): Promise<boolean> {
  try {
    await pipeline(lines, process.stdout, { end: false });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return false;
    throw error;
  }
}

function findCall(calls: readonly RecordedCall[], ref: CallRef): RecordedCall | undefined {
  return matchingCall(calls, ref) ?? calls.find((call) => call.name === ref.path);
}

/** The message for a call without a decoder: the calls there are, those first that are spelled most alike. */
function unknownCall(venue: string, decoded: readonly RecordedCall[], ref: CallRef, typed: string): string {
  const calls = [...new Set(decoded.map((call) => call.name))];
  const alike = nearestPaths(ref.path, calls);
  const meant = alike.length === 0 ? ';' : `; did you mean ${alike.join(' or ')}?`;
  return `${venue} has no decoder for "${typed}"${meant} it decodes: ${calls.join(', ')}`;
}

/** The context of a recording: lists, the request itself, and when it was answered, as the options say. */
async function recordingContext(ref: CallRef, options: DecodeOptions): Promise<RecordingContext> {
  const files = await Promise.all((options.context ?? []).map((file) => readFile(file, 'utf8')));
  const lists = files.flatMap(parsePayloads);
  const request = {
    method: ref.method === 'POST' ? 'POST' : 'GET',
    path: ref.query.size > 0 ? `${ref.path}?${ref.query}` : ref.path,
    ...(ref.body === undefined ? {} : { body: ref.body }),
  } as const;
  if (options.receivedAt === undefined) return { lists, request };
  return { lists, request, receivedAt: asMs(Date.parse(options.receivedAt)) };
}

/** Each payload as the frame behind the one before: what packed frames name once holds for those that follow. */
function* recordsOf(
  adapter: VenueAdapter,
  call: VenueCall,
  payloads: readonly unknown[],
  given: RecordingContext,
) {
  const context = contextOf(adapter, given);
  let columns: readonly string[] | undefined;
  for (const payload of payloads) {
    const decoded = call.decode(payload, columns === undefined ? context : { ...context, columns });
    columns = decoded.columns ?? columns;
    yield* decodedLines(adapter, decoded, context.instruments);
  }
}

const perpetuals: RecordedMarket = {
  venues: VENUES.map((venue) => venue.id),
  types: ['quote', 'instrument', 'funding_point', 'history_point', 'book', 'reject'],
  callsOf: (id) => {
    const adapter = adapterOf(id);
    return (
      adapter &&
      callsOf(adapter).map((call) => ({
        ...call,
        records: (payloads, context) => recordsOf(adapter, recordedCall(call), payloads, context),
      }))
    );
  },
};

/** Prints a line per fact and then says how many there were of each kind, unless nobody reads on. */
async function printRecords(
  from: string,
  types: readonly string[],
  payloads: number,
  records: Iterable<Line>,
): Promise<void> {
  const counts = new Map(types.map((type) => [type, 0]));
  function* lines() {
    for (const line of records) {
      const type = String(line.type);
      counts.set(type, (counts.get(type) ?? 0) + 1);
      yield `${JSON.stringify(line)}\n`;
    }
  }
  if (!(await print(lines()))) return;
  const found = [...counts].map(([type, n]) => `${n} ${type}`);
  process.stderr.write(`decode: ${from}: ${payloads} payloads, ${found.join(', ')}\n`);
}

/** Prints why nothing is decoded, and gives the exit code. */
function refuse(why: string): number {
  process.stderr.write(`decode: ${why}\n`);
  return 2;
}

/**
 * Runs the venue's own decoder for one call on a recorded payload and prints a JSON line per fact; a summary
 * goes to stderr. No network.
 * @returns exit code: 0, also where the reader of standard output has gone, or 2 when the venue or the call has no
 * decoder
 */
export async function decodeCommand(
  file: string,
  options: DecodeOptions,
  others: OtherMarkets = new Map(),
): Promise<number> {
  const { market = PERPETUAL } = options;
  const kind = market === PERPETUAL ? perpetuals : await others.get(market)?.();
  if (kind === undefined)
    return refuse(`no market "${market}"; known are ${[PERPETUAL, ...others.keys()].join(', ')}`);
  const venue = options.venue.toLowerCase();
  const calls = kind.callsOf(venue);
  if (calls === undefined) return refuse(`no venue "${options.venue}"; known are ${kind.venues.join(', ')}`);
  const ref = callRef(options.url, options.method, options.body);
  const call = findCall(calls, ref);
  if (call === undefined) return refuse(unknownCall(venue, calls, ref, options.url));
  const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  const payloads = parsePayloads(content);
  const records = call.records(payloads, await recordingContext(ref, options));
  await printRecords(`${venue} ${call.name}`, kind.types, payloads.length, records);
  return 0;
}
