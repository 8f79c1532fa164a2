import { isWire, readNumber, readText, type Wire } from '../../../domain/read.ts';
import { ms } from '../../../venues/grammar/field.ts';
import { unitsOf } from '../../../venues/pacifica/wire.ts';
import type { EventReason, PositionSide, TakerSide } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { answerRows, idAt, named, priceAt, rowsAt, sizeAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

/** The order of each direction. */
const DIRECTIONS: Readonly<Record<string, TakerSide>> = {
  open_long: 'buy',
  close_short: 'buy',
  open_short: 'sell',
  close_long: 'sell',
};

const causeOf = ({ tc, cause }: Wire): unknown => tc ?? cause;
const directionOf = ({ d, side }: Wire): string | undefined => readText(d ?? side);
const isLiquidation = (wire: Wire): boolean => /liquidation/.test(readText(causeOf(wire)) ?? '');
/** The backstop takes a position over; only a market liquidation meets the book. */
const isTakeover = (wire: Wire): boolean => isLiquidation(wire) && causeOf(wire) !== 'market_liquidation';

const CAUSES: Readonly<Record<string, EventReason>> = {
  settlement: 'settlement',
  game_settlement: 'settlement',
  fulfill_rfq: 'off_book',
};

/** REST lists each trade twice, once for each side; the taker's row counts. */
function leftOut(wire: Wire): EventReason | undefined {
  const { event_type: event, it } = wire;
  if (event !== undefined && event !== 'fulfill_taker')
    return event === 'fulfill_maker' ? 'maker_row' : 'malformed';
  if (it !== undefined && it !== null && readNumber(it) !== 0) return 'spot';
  const cause = causeOf(wire);
  if (cause === undefined || cause === null || cause === 'normal' || isLiquidation(wire)) return undefined;
  return CAUSES[String(cause)] ?? 'malformed';
}

function position(wire: Wire): PositionSide | undefined {
  const direction = directionOf(wire);
  if (direction === 'close_long') return 'long';
  return direction === 'close_short' ? 'short' : undefined;
}

const PUSHED: EventTable = {
  symbol: named('s'),
  leftOut,
  time: ms('t'),
  price: (wire) => priceAt('p', isTakeover(wire) ? 'takeover' : 'fill')(wire),
  size: sizeAt('a', 'base'),
  id: idAt('h'),
  taker: (wire) => DIRECTIONS[directionOf(wire) ?? ''],
  isTrade: (wire) => !isTakeover(wire),
  liquidated: (wire) => (isLiquidation(wire) ? [position(wire)] : []),
};

const LISTED: EventTable = {
  ...PUSHED,
  symbol: named('symbol'),
  time: ms('created_at'),
  price: (wire) => priceAt('price', isTakeover(wire) ? 'takeover' : 'fill')(wire),
  size: sizeAt('amount', 'base'),
  id: idAt('history_id'),
};

function pushed(payload: unknown): EventFrame | undefined {
  const rows = isWire(payload) && payload.channel === 'trades' ? rowsAt(payload, 'data') : undefined;
  return rows && { rows };
}

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.channel !== undefined ? undefined : answerRows(['created_at', 'cause'])(payload);

export const pacifica: EventVenue = {
  id: 'pacifica',
  paths: ['/api/v1/trades/history', '/api/v1/trades'],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: pushed, table: PUSHED },
    { frameOf: answer, table: LISTED },
  ]),
};
