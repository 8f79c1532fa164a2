import { iso } from '../../domain/clock.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { baseName } from '../../domain/ticker.ts';
import type {
  DecodedRecord,
  RecordedCall,
  RecordedMarket,
  RecordingContext,
} from '../../host/recorded-market.ts';
import { callsOf, type DecodeContext } from '../../venues/adapter.ts';
import { adapterOf } from '../../venues/registry.ts';
import { completenessOf } from './completeness.ts';
import { Deduplicator, repeatRuleOf } from './deduplicator.ts';
import type { EventsDecoded, LiquidationEvent, TradeEvent } from './event-rows.ts';
import type { EventVenue } from './event-venue.ts';
import { parseFrame } from './parse-frame.ts';
import { EVENT_VENUES, eventVenueOf } from './registry.ts';

type Kind = 'liquidations' | 'trades';

/** Contracts from a recorded list: those of the call of the venue that reads most of them from it. */
function contractsFrom(venue: string, payload: unknown): readonly Instrument[] {
  const adapter = adapterOf(venue);
  const lists = adapter === undefined ? [] : callsOf(adapter).map(({ decode }) => decode(payload, EMPTY));
  return lists.reduce<readonly Instrument[]>(
    (most, { instruments }) => (instruments.length > most.length ? instruments : most),
    [],
  );
}

const EMPTY: DecodeContext = { instruments: new Map() };

/** The context of a recording: the contracts of its lists, and its request. */
export function contextOf(venue: string, { lists, request, receivedAt }: RecordingContext): DecodeContext {
  const listed = lists.flatMap((payload) => contractsFrom(venue, payload));
  const instruments = new Map(listed.map((instrument) => [instrument.symbol, instrument]));
  return { instruments, request, ...(receivedAt !== undefined && { receivedAt }) };
}

function nameOf(venue: string, event: LiquidationEvent | TradeEvent, { instruments }: DecodeContext) {
  const listed = instruments.get(event.symbol);
  if (listed !== undefined) return { ticker: listed.ticker, multiplier: listed.multiplier };
  const base = event.inverseBase ?? adapterOf(venue)?.baseOf(event.symbol);
  return base === undefined ? {} : { ...baseName(base) };
}

/** The fields that trades and liquidations share. An unknown amount is null, with the reason of it. */
const shared = (
  venue: string,
  event: LiquidationEvent | TradeEvent,
  context: DecodeContext,
): DecodedRecord => ({
  venue,
  symbol: event.symbol,
  ...nameOf(venue, event, context),
  ...(event.inverseBase !== undefined && { inverse: true }),
  time: iso(event.time),
  price: event.price ?? null,
  size_raw: event.sizeRaw,
  size_unit: event.sizeUnit,
  size_base: event.sizeBase ?? null,
  size_usd: event.sizeUsd ?? null,
  ...(event.unknownValue !== undefined && { unknown: event.unknownValue }),
  id: event.id ?? null,
  ...(event.isHistory === true && { history: true }),
});

const liquidationRecord = (
  venue: string,
  event: LiquidationEvent,
  context: DecodeContext,
): DecodedRecord => ({
  type: 'liquidation',
  ...shared(venue, event, context),
  side: event.side,
  price_kind: event.priceKind,
  ...(event.limitPrice !== undefined && { limit_price: event.limitPrice }),
});

const tradeRecord = (venue: string, event: TradeEvent, context: DecodeContext): DecodedRecord => ({
  type: 'trade',
  ...shared(venue, event, context),
  taker_side: event.takerSide,
  ...(event.liquidated !== undefined && { liquidated: event.liquidated }),
  ...(event.mark !== undefined && { mark: event.mark }),
  ...(event.sequence !== undefined && { sequence: event.sequence }),
  ...(event.fills !== undefined && { fills: event.fills }),
});

/** Events of a recording that came before in it are marked. */
interface Seen {
  readonly liquidations: Deduplicator<LiquidationEvent>;
  readonly trades: Deduplicator<TradeEvent>;
}

/** More events than a recording has that is read at once. */
const MAX_EVENTS = 10_000_000;

/** A memory of all that a recording has. */
export const deduplicatorOf = <Event extends LiquidationEvent | TradeEvent>(venue: string, kind: Kind) =>
  new Deduplicator<Event>({
    rule: repeatRuleOf(venue, kind),
    windowMs: Number.POSITIVE_INFINITY,
    maxEvents: MAX_EVENTS,
  });

/** The records of events, each with a mark where the recording has it already. */
function* marked<Event extends LiquidationEvent | TradeEvent>(
  events: readonly Event[],
  seen: Deduplicator<Event>,
  recordOf: (event: Event) => DecodedRecord,
): Iterable<DecodedRecord> {
  // A recording does not say where a connection ends.
  const fresh = new Set(seen.take({ events, connection: 1 }).fresh);
  for (const event of events) yield { ...recordOf(event), ...(!fresh.has(event) && { repeat: true }) };
}

function* recordsOf(kind: Kind, venue: string, decoded: EventsDecoded, seen: Seen, context: DecodeContext) {
  const { liquidations, trades, rejects } = decoded;
  if (kind === 'liquidations')
    yield* marked(liquidations, seen.liquidations, (event) => liquidationRecord(venue, event, context));
  else yield* marked(trades, seen.trades, (event) => tradeRecord(venue, event, context));
  for (const reject of rejects) yield { type: 'reject', venue, ...reject };
  if (kind === 'liquidations' && completenessOf(venue)?.completeness === 'not_published')
    yield { type: 'reject', venue, symbol: null, reason: 'not_published' };
}

function* decodeAll(kind: Kind, venue: EventVenue, payloads: readonly unknown[], given: RecordingContext) {
  const context = contextOf(venue.id, given);
  const seen: Seen = {
    liquidations: deduplicatorOf(venue.id, 'liquidations'),
    trades: deduplicatorOf(venue.id, 'trades'),
  };
  for (const payload of payloads)
    yield* recordsOf(kind, venue.id, venue.decode(payload, context), seen, context);
}

/** Any text that is no address; KuCoin's topics begin as a path does. */
const CHANNEL = /^(?!https?:\/\/|\/(?!contractMarket\/))/i;

/** Reads the payloads of a venue in their order. */
type RecordsOf = (
  venue: EventVenue,
  payloads: readonly unknown[],
  context: RecordingContext,
) => Iterable<DecodedRecord>;

/** The calls of a venue: its sockets by any name of a channel, and its paths; the content tells them apart. */
function callsFor(venue: EventVenue, recordsOf: RecordsOf): readonly RecordedCall[] {
  const records: RecordedCall['records'] = (payloads, context) => recordsOf(venue, payloads, context);
  const rest = venue.paths.map((path) => ({
    name: path.split('/').findLast((segment) => segment !== '*' && segment !== '') ?? path,
    path,
    records,
  }));
  return [...rest, { name: 'frames', frames: CHANNEL, records }];
}

/** Recorded frames and answers of all venues. @param type of its records */
export const recordedEvents = (type: string, recordsOf: RecordsOf): RecordedMarket => ({
  venues: EVENT_VENUES.map(({ id }) => id),
  types: [type, 'reject'],
  parse: parseFrame,
  callsOf: (id) => {
    const venue = eventVenueOf(id);
    return venue && callsFor(venue, recordsOf);
  },
});

const decoderOf =
  (kind: Kind): RecordsOf =>
  (venue, payloads, given) =>
    decodeAll(kind, venue, payloads, given);

/** For `perpmeter decode --market liquidations`. */
export const RECORDED_LIQUIDATIONS = recordedEvents('liquidation', decoderOf('liquidations'));
/** For `perpmeter decode --market trades`. */
export const RECORDED_TRADES = recordedEvents('trade', decoderOf('trades'));
