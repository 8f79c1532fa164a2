import { isWire, readText, type Wire } from '../../../domain/read.ts';
import { unitsOf } from '../../../venues/deribit/wire.ts';
import { ms } from '../../../venues/grammar/field.ts';
import { isStated } from '../../../venues/quote-field.ts';
import type { PositionSide } from '../event-rows.ts';
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
import type { EventFrame, EventTable, InverseContract } from '../grammar/table.ts';

const takerOf = takerAt('direction');

/** `T`: the taker was liquidated. `M`: the maker, whose position is on the other side. `MT`: both, which are two events. */
function liquidated(wire: Wire): readonly (PositionSide | undefined)[] {
  const { liquidation } = wire;
  if (liquidation === undefined || liquidation === null || liquidation === 'none') return [];
  const taker = closedBy(takerOf(wire));
  const maker = taker && (taker === 'long' ? 'short' : 'long');
  if (liquidation === 'T') return [taker];
  if (liquidation === 'M') return [maker];
  return liquidation === 'MT' || liquidation === 'TM' ? [taker, maker] : [undefined];
}

const TRADE: EventTable = {
  symbol: named('instrument_name'),
  leftOut: ({ block_trade_id: block, block_rfq_id: rfq }) =>
    isStated(block) || isStated(rfq) ? 'off_book' : undefined,
  time: ms('timestamp'),
  price: priceAt('price', 'fill'),
  size: sizeAt('amount', 'base'),
  id: idAt('trade_id'),
  taker: takerOf,
  liquidated,
  sequence: ({ trade_seq: sequence }) => sequence,
  mark: ({ combo_trade_id: trade, combo_id: combo }) =>
    isStated(trade) || isStated(combo) ? 'combo' : undefined,
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
    : answerRows(['trade_seq', 'trade_id'], ['result.trades', 'trades', 'result'])(payload);

/** Amounts of a coin-margined contract are dollars. */
const inverse = (symbol: string): InverseContract | undefined => {
  const base = /^([A-Z0-9]+)-PERPETUAL$/.exec(symbol)?.[1];
  return base === undefined ? undefined : { base, usd: 1 };
};

export const deribit: EventVenue = {
  id: 'deribit',
  paths: [
    'public/get_last_trades_by_instrument',
    'public/get_last_trades_by_instrument_and_time',
    'public/get_last_trades_by_currency',
    'public/get_last_trades_by_currency_and_time',
  ],
  decode: eventDecoder({ unitsOf, inverse }, [
    { frameOf: pushed, table: TRADE },
    { frameOf: answer, table: TRADE },
  ]),
};
