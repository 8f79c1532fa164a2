import { isWire, readText, type Wire } from '../../../domain/read.ts';
import { ms } from '../../../venues/grammar/field.ts';
import { unitsOf } from '../../../venues/htx/wire.ts';
import { isStated } from '../../../venues/quote-field.ts';
import type { PositionSide } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import {
  answerRows,
  byOrder,
  idAt,
  named,
  objectAt,
  priceAt,
  rowsAt,
  sizeAt,
  takerAt,
} from '../grammar/fields.ts';
import type { EventFrame, EventTable, StatedSize } from '../grammar/table.ts';

const turnoverOf = (wire: Wire) => ({ name: 'trade_turnover', raw: wire.trade_turnover });

/** On the socket and in rows of v3 `amount` counts coins and `volume` contracts. */
const LIQUIDATION: EventTable = {
  symbol: named('contract_code'),
  time: ms('created_at'),
  price: priceAt('price', 'bankruptcy'),
  size: (wire): StatedSize =>
    isStated(wire.amount)
      ? { name: 'amount', raw: wire.amount, unit: 'base', value: turnoverOf(wire) }
      : { name: 'volume', raw: wire.volume, unit: 'contracts', value: turnoverOf(wire) },
  id: idAt('query_id'),
  liquidated: byOrder(takerAt('direction')),
};

const position = ({ position_side: side }: Wire): PositionSide | undefined =>
  side === 'long' || side === 'short' ? side : undefined;

/** In rows of v5 `amount` counts contracts, as `volume` does. */
const LISTED: EventTable = {
  symbol: named('contract_code'),
  time: ms('liquidation_time'),
  price: priceAt('bankrupt_price', 'bankruptcy'),
  size: sizeAt('volume', 'contracts', { value: 'trade_turnover' }),
  id: idAt('id'),
  liquidated: (wire) => (isStated(wire.position_side) ? [position(wire)] : byOrder(takerAt('side'))(wire)),
};

/** Older rows count contracts alone; newer ones state coins beside them. */
const TRADE: EventTable = {
  symbol: named('contract_code'),
  time: ms('ts'),
  price: priceAt('price', 'fill'),
  size: (wire): StatedSize =>
    isStated(wire.quantity)
      ? { name: 'quantity', raw: wire.quantity, unit: 'base', value: turnoverOf(wire) }
      : { name: 'amount', raw: wire.amount, unit: 'contracts', value: turnoverOf(wire) },
  id: idAt('id'),
  taker: takerAt('direction'),
};

function notified(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || !/\.liquidation_orders$/.test(String(payload.topic))) return undefined;
  const rows = rowsAt(payload, 'data');
  return rows && { rows };
}

const contractIn = (payload: unknown): string | undefined =>
  isWire(payload) ? /^market\.([^.]+)\.trade\.detail$/.exec(readText(payload.ch) ?? '')?.[1] : undefined;

/** A push has its trades under `tick`; REST has a list of such ticks. */
function traded(payload: unknown): EventFrame | undefined {
  const ticks = objectAt(payload, 'tick') ?? (isWire(payload) ? payload.data : undefined);
  const list = Array.isArray(ticks) ? ticks : [ticks];
  if (!list.some((tick) => isWire(tick) && tick.data !== undefined)) return undefined;
  return { rows: list.flatMap((tick) => rowsAt(tick, 'data') ?? [null]), symbol: contractIn(payload) };
}

export const htx: EventVenue = {
  id: 'htx',
  paths: [
    '/v5/market/liquidation_orders',
    '/linear-swap-api/v3/swap_liquidation_orders',
    '/linear-swap-ex/market/history/trade',
    '/linear-swap-ex/market/trade',
  ],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: notified, table: LIQUIDATION },
    { frameOf: traded, table: TRADE },
    { frameOf: answerRows(['bankrupt_price', 'position_side']), table: LISTED },
    {
      frameOf: (payload) =>
        isWire(payload) && payload.topic !== undefined
          ? undefined
          : answerRows(['created_at'], ['data', 'data.orders'])(payload),
      table: LIQUIDATION,
    },
  ]),
};
