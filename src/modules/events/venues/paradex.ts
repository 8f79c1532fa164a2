import { isWire, readText, type Wire } from '../../../domain/read.ts';
import { ms } from '../../../venues/grammar/field.ts';
import { unitsOf } from '../../../venues/paradex/wire.ts';
import type { EventReason } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import {
  answerRows,
  closedBy,
  idAt,
  named,
  objectAt,
  priceAt,
  rowsAt,
  sizeAt,
  takerAt,
} from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

const TYPES: Readonly<Record<string, EventReason | undefined>> = {
  FILL: undefined,
  RPI: undefined,
  LIQUIDATION: undefined,
  UNWIND_TRANSFER: 'transfer',
  SETTLE_MARKET: 'settlement',
  BLOCK_TRADE: 'off_book',
};

function leftOut({ trade_type: type }: Wire): EventReason | undefined {
  if (type === undefined || type === null) return undefined;
  return typeof type === 'string' && type in TYPES ? TYPES[type] : 'malformed';
}

const isLiquidation = ({ trade_type: type }: Wire): boolean => type === 'LIQUIDATION';
const takerOf = takerAt('side');

/** A liquidation moves a part of all positions to the insurance fund, which is no order in the book. */
const ROW: EventTable = {
  symbol: named('market'),
  leftOut,
  time: ms('created_at'),
  price: (wire) => priceAt('price', isLiquidation(wire) ? 'takeover' : 'fill')(wire),
  size: sizeAt('size', 'base'),
  id: idAt('id'),
  taker: takerOf,
  isTrade: (wire) => !isLiquidation(wire),
  liquidated: (wire) => (isLiquidation(wire) ? [closedBy(takerOf(wire))] : []),
  mark: ({ trade_type: type }) => (type === 'RPI' ? 'rpi' : undefined),
};

function pushed(payload: unknown): EventFrame | undefined {
  const params = objectAt(payload, 'params');
  if (!/^trades\./.test(readText(params?.channel) ?? '')) return undefined;
  const rows = rowsAt(params, 'data');
  return rows && { rows };
}

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.params !== undefined
    ? undefined
    : answerRows(['created_at'], ['results', 'data'])(payload);

export const paradex: EventVenue = {
  id: 'paradex',
  paths: ['/v1/trades'],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: pushed, table: ROW },
    { frameOf: answer, table: ROW },
  ]),
};
