import { isWire, readNumber, readText, type Wire } from '../../../domain/read.ts';
import { ms } from '../../../venues/grammar/field.ts';
import { unitsOf } from '../../../venues/orderly/wire.ts';
import { isStated } from '../../../venues/quote-field.ts';
import type { EventReason, PositionSide } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder, readEventId } from '../grammar/decoder.ts';
import {
  answerRows,
  atMark,
  byPosition,
  named,
  objectAt,
  priceAt,
  rowsAt,
  sizeAt,
  takerAt,
  takerBySign,
} from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

/** The id is of the account's liquidation, which closes several contracts. */
function eventId({ liquidationId, liquidation_id: snake, symbol }: Wire): unknown {
  const raw = liquidationId ?? snake;
  const id = readEventId(raw);
  return id === undefined ? raw : `${id}/${String(symbol)}`;
}

const typeOf = ({ type }: Wire): EventReason | undefined => {
  if (type === undefined || type === null || type === 'liquidated') return undefined;
  return type === 'claim' ? 'claim' : 'malformed';
};

/** A push has no price, and repeats its list at each change. */
const PUSHED: EventTable = {
  symbol: named('symbol'),
  leftOut: typeOf,
  time: ms('timestamp'),
  price: atMark,
  size: sizeAt('positionQty', 'base', { isSigned: true }),
  id: eventId,
  liquidated: byPosition(takerBySign('positionQty')),
};

const PAGED: EventTable = {
  ...PUSHED,
  size: sizeAt('position_qty', 'base', { isSigned: true }),
  liquidated: byPosition(takerBySign('position_qty')),
};

function position({ side, position_qty: quantity }: Wire): PositionSide | undefined {
  if (side === 'LONG' || side === 'SHORT') return side === 'LONG' ? 'long' : 'short';
  const signed = readNumber(quantity);
  if (isStated(side) || signed === undefined || signed === 0) return undefined;
  return signed > 0 ? 'long' : 'short';
}

/** The list of the Public Info API states the mark of that moment and the value. */
const QUERIED: EventTable = {
  symbol: named('symbol'),
  time: ms('timestamp'),
  price: priceAt('mark_price', 'mark'),
  size: sizeAt('position_qty', 'base', { isSigned: true, value: 'notional' }),
  liquidated: (wire) => [position(wire)],
};

const TRADE: EventTable = {
  symbol: named('symbol'),
  time: 'frame',
  price: priceAt('price', 'fill'),
  size: sizeAt('size', 'base'),
  taker: takerAt('side'),
};

const REST_TRADE: EventTable = {
  ...TRADE,
  time: ms('executed_timestamp'),
  price: priceAt('executed_price', 'fill'),
  size: sizeAt('executed_quantity', 'base'),
};

/** One row a contract of each liquidation of an account. */
const contractsOf = (rows: readonly unknown[], list: string): readonly unknown[] =>
  rows.flatMap((row) => {
    if (!isWire(row)) return [row];
    const { type, timestamp, liquidationId, liquidation_id } = row;
    return (rowsAt(row, list) ?? [null]).map((contract) =>
      isWire(contract) ? { type, timestamp, liquidationId, liquidation_id, ...contract } : contract,
    );
  });

function pushed(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || payload.topic !== 'liquidation') return undefined;
  const rows = rowsAt(payload, 'data');
  return rows && { rows: contractsOf(rows, 'positionsByPerp') };
}

function traded(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || !/@trade$/.test(readText(payload.topic) ?? '')) return undefined;
  const rows = rowsAt(payload, 'data');
  return rows && { rows, time: payload.ts };
}

function paged(payload: unknown): EventFrame | undefined {
  const rows = rowsAt(objectAt(payload, 'data'), 'rows');
  const hasPositions = (row: unknown) => isWire(row) && row.positions_by_perp !== undefined;
  return rows?.some(hasPositions) ? { rows: contractsOf(rows, 'positions_by_perp') } : undefined;
}

export const orderly: EventVenue = {
  id: 'orderly',
  paths: [
    '/v1/public/query',
    '/v1/public/liquidated_positions',
    '/v1/public/liquidation',
    '/v1/public/market_trades',
  ],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: pushed, table: PUSHED },
    { frameOf: traded, table: TRADE },
    { frameOf: paged, table: PAGED },
    { frameOf: answerRows(['position_qty'], ['data.rows']), table: QUERIED },
    { frameOf: answerRows(['executed_price'], ['data.rows']), table: REST_TRADE },
  ]),
};
