import { printable } from '../../../domain/printable.ts';
import { isWire, readMs, readNumber, readPrice, type Wire } from '../../../domain/read.ts';
import { isReadableSymbol } from '../../../domain/symbol.ts';
import type { Price, UnixMs } from '../../../domain/units.ts';
import type { DecodeContext } from '../../../venues/call.ts';
import type { ContractUnits } from '../../../venues/contract-units.ts';
import { fieldFault } from '../../../venues/field-fault.ts';
import { isRow } from '../../../venues/grammar/field.ts';
import { isStated } from '../../../venues/quote-field.ts';
import {
  type EventDecoder,
  type EventReason,
  type EventReject,
  type EventsDecoded,
  emptyEvents,
  type LiquidationEvent,
  type PriceKind,
  type TradeEvent,
} from '../event-rows.ts';
import { type CountedSize, countSize } from './amounts.ts';
import { isControl } from './control.ts';
import type { EventFrame, EventPart, EventTable, EventUnits, InverseContract, StatedPrice } from './table.ts';

/** Characters of an unreadable name that a reject shows. */
const MAX_SHOWN = 40;

/** The surroundings of a row, on which its values may depend. */
interface Place {
  readonly table: EventTable;
  readonly frame: EventFrame;
  readonly units: EventUnits;
  readonly context: DecodeContext;
}

/** The units of a contract that is ours, or a coin-margined one. */
interface OwnUnits {
  readonly units: ContractUnits;
  readonly inverse?: InverseContract;
}

const AS_NAMED: ContractUnits = { multiplier: 1, perContract: undefined };

function unitsFor({ unitsOf, inverse }: EventUnits, context: DecodeContext, symbol: string) {
  const found = unitsOf(context, symbol);
  if (typeof found !== 'string') return { units: found };
  const contract = found === 'inverse' || found === 'not_listed' ? inverse?.(symbol) : undefined;
  return contract === undefined ? found : { units: AS_NAMED, inverse: contract };
}

/** Letters, digits and marks of hashes, numbers and names of one line. */
const ID = /^[\w.:/+=-]{1,128}$/;
/** Names of most contracts, which need no closer look. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}$/;

/** The id of a row digit by digit; undefined where it cannot be kept so. */
export function readEventId(raw: unknown): string | undefined {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) && raw >= 0 ? String(raw) : undefined;
  return typeof raw === 'string' && ID.test(raw) ? raw : undefined;
}

/** The price per unit of the ticker; undefined after a fault. A row of a venue without prices has none, and no fault. */
function readStatedPrice(
  { raw, per = 1, kind }: StatedPrice,
  { multiplier }: ContractUnits,
): Price | 'none' | undefined {
  if (kind === 'none') return 'none';
  if (per === 1) return readPrice(raw, multiplier);
  const stated = readNumber(raw);
  return stated === undefined ? undefined : readPrice(stated / per, multiplier);
}

const readTime = ({ table, frame, context }: Place, wire: Wire, symbol: string): UnixMs | undefined =>
  table.time === 'frame'
    ? readMs(frame.time)
    : table.time.read(table.time.raw(wire), { wire, symbol, units: AS_NAMED, context });

const timeFault = ({ table, frame }: Place, wire: Wire, symbol: string): EventReject =>
  table.time === 'frame'
    ? fieldFault(symbol, 'time of the frame', frame.time)
    : fieldFault(symbol, table.time.name || 'time', table.time.raw(wire));

/** The values that trades and liquidations share. */
interface Shared extends CountedSize {
  readonly symbol: string;
  readonly time: UnixMs;
  readonly price?: Price;
  readonly id?: string;
  readonly isHistory?: true;
  readonly inverseBase?: string;
}

/** Reads what events share; a reject where one of these cannot be read. */
function readShared(
  place: Place,
  wire: Wire,
  symbol: string,
  { units, inverse }: OwnUnits,
  stated: StatedPrice,
): Shared | EventReject {
  const { table, frame } = place;
  const time = readTime(place, wire, symbol);
  if (time === undefined) return timeFault(place, wire, symbol);
  const price = readStatedPrice(stated, units);
  if (price === undefined) return fieldFault(symbol, stated.name, stated.raw);
  const size = table.size(wire);
  const counted = countSize(size, price === 'none' ? undefined : price, units, inverse);
  if (typeof counted === 'string')
    return fieldFault(symbol, counted, counted === size.name ? size.raw : size.value?.raw);
  const rawId = table.id?.(wire);
  const id = readEventId(rawId);
  if (id === undefined && isStated(rawId)) return fieldFault(symbol, 'id', rawId);
  return {
    symbol,
    time,
    ...(id !== undefined && { id }),
    ...(price !== 'none' && { price }),
    ...counted,
    ...(frame.isHistory === true && { isHistory: true }),
    ...(inverse !== undefined && { inverseBase: inverse.base }),
  };
}

function readSequence({ sequence }: EventTable, wire: Wire): number | undefined {
  const stated = readNumber(sequence?.(wire));
  return stated !== undefined && Number.isSafeInteger(stated) && stated >= 0 ? stated : undefined;
}

/** Faults of values that a row states beside its event, which stands without them. */
function faultsBeside({ table }: Place, wire: Wire, { symbol }: Shared): readonly EventReject[] {
  const [limit, sequence] = [table.limit?.(wire), table.sequence?.(wire)];
  return [
    ...(isStated(limit) && readPrice(limit) === undefined ? [fieldFault(symbol, 'limit price', limit)] : []),
    ...(isStated(sequence) && readSequence(table, wire) === undefined
      ? [fieldFault(symbol, 'sequence', sequence)]
      : []),
  ];
}

function liquidationOf(
  shared: Shared,
  side: LiquidationEvent['side'],
  priceKind: PriceKind,
  limit: Price | undefined,
): LiquidationEvent {
  return { ...shared, side, priceKind, ...(limit !== undefined && { limitPrice: limit }) };
}

function tradeOf(
  { table }: Place,
  wire: Wire,
  shared: Shared,
  takerSide: TradeEvent['takerSide'],
): TradeEvent {
  const sequence = readSequence(table, wire);
  const fills = table.fills?.(wire);
  const mark = table.mark?.(wire);
  const [liquidated] = table.liquidated?.(wire) ?? [];
  return {
    ...shared,
    takerSide,
    ...(sequence !== undefined && { sequence }),
    ...(fills !== undefined && fills > 0 && { fills }),
    ...(mark !== undefined && { mark }),
    ...(liquidated !== undefined && { liquidated }),
  };
}

/** Adds the events of a row whose contract is known. */
function addEvents(place: Place, wire: Wire, symbol: string, own: OwnUnits, out: EventsDecoded): void {
  const { table, context } = place;
  const positions = table.liquidated?.(wire) ?? [];
  const isTrade = table.taker !== undefined && (table.isTrade?.(wire) ?? true);
  const takerSide = isTrade ? table.taker?.(wire) : undefined;
  if (positions.includes(undefined) || (isTrade && takerSide === undefined)) {
    out.rejects.push({ symbol, reason: 'malformed', detail: 'side' });
    return;
  }
  const stated = table.price(wire, symbol, context);
  const shared = readShared(place, wire, symbol, own, stated);
  if ('reason' in shared) {
    out.rejects.push(shared);
    return;
  }
  out.rejects.push(...faultsBeside(place, wire, shared));
  const limitPrice = readPrice(table.limit?.(wire), own.units.multiplier);
  for (const side of positions)
    if (side !== undefined) out.liquidations.push(liquidationOf(shared, side, stated.kind, limitPrice));
  if (takerSide !== undefined) out.trades.push(tradeOf(place, wire, shared, takerSide));
}

/** The contract of a row, or the reject that says why it has none. */
function symbolIn({ table, frame, context }: Place, wire: Wire): string | EventReject {
  const symbol = table.symbol(wire, frame, context);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: 'symbol' };
  if (PLAIN_NAME.test(symbol)) return symbol;
  if (isReadableSymbol(symbol, { also: "$'()!&+%,", maxCharacters: 96 })) return symbol;
  return { symbol: null, reason: 'unreadable_symbol', detail: printable(symbol, MAX_SHOWN) };
}

function takeRow(place: Place, wire: unknown, out: EventsDecoded): void {
  if (!isRow(wire)) {
    out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
    return;
  }
  const symbol = symbolIn(place, wire);
  if (typeof symbol !== 'string') {
    out.rejects.push(symbol);
    return;
  }
  const own = unitsFor(place.units, place.context, symbol);
  const reason: EventReason | undefined = typeof own === 'string' ? own : place.table.leftOut?.(wire);
  if (reason !== undefined || typeof own === 'string')
    out.rejects.push({ symbol, reason: reason ?? 'malformed' });
  else addEvents(place, wire, symbol, own, out);
}

/**
 * Decodes frames and answers by the kinds that know them; one that none knows is a reject, unless it only keeps the
 * connection alive or answers a subscription.
 *
 * @param units of the venue's contracts
 * @param parts the kinds, of which several may take parts of one payload
 */
export const eventDecoder =
  (units: EventUnits, parts: readonly EventPart[]): EventDecoder =>
  (payload, context) => {
    const out = emptyEvents();
    let isKnown = false;
    for (const { frameOf, table } of parts) {
      const frame = isWire(payload) || Array.isArray(payload) ? frameOf(payload) : undefined;
      if (frame === undefined) continue;
      isKnown = true;
      const place = { table, frame, units, context };
      for (const row of frame.rows) takeRow(place, row, out);
    }
    if (!isKnown && !isControl(payload)) {
      const detail = typeof payload === 'string' ? 'no JSON' : 'no events';
      out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail });
    }
    return out;
  };
