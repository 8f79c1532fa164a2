import { isWire, type Wire } from '../../../domain/read.ts';
import { ms } from '../../../venues/grammar/field.ts';
import { marketOf, unitsOf } from '../../../venues/lighter/wire.ts';
import type { EventReason } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { closedBy, idAt, priceAt, rowsAt, sizeAt, takerByFlag } from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

const TYPES: Readonly<Record<string, EventReason | undefined>> = {
  trade: undefined,
  buy: undefined,
  sell: undefined,
  liquidation: undefined,
  deleverage: 'deleveraging',
  'market-settlement': 'settlement',
};

function leftOut({ type, market_kind: kind }: Wire): EventReason | undefined {
  if (kind === 'spot') return 'spot';
  if (type === undefined || type === null) return undefined;
  return typeof type === 'string' && type in TYPES ? TYPES[type] : 'malformed';
}

/** The ask was the maker's, so the taker bought. */
const takerOf = takerByFlag('is_maker_ask');

const TRADE: EventTable = {
  symbol: (wire, _, context) => marketOf(wire, context),
  leftOut,
  time: ms('timestamp'),
  price: priceAt('price', 'fill'),
  size: sizeAt('size', 'base', { value: 'usd_amount' }),
  id: idAt('trade_id'),
  taker: takerOf,
  // The liquidated account is the taker.
  liquidated: (wire) => (wire.type === 'liquidation' ? [closedBy(takerOf(wire))] : []),
};

/** A liquidation stands in a list of its own and not among the trades: taker volume needs both. */
function lists(payload: unknown): EventFrame | undefined {
  const trades = rowsAt(payload, 'trades');
  const liquidations = rowsAt(payload, 'liquidation_trades');
  if (trades === undefined && liquidations === undefined) return undefined;
  const isHistory = isWire(payload) && payload.type === 'subscribed/trade';
  return { rows: [...(trades ?? []), ...(liquidations ?? [])], isHistory };
}

export const lighter: EventVenue = {
  id: 'lighter',
  paths: ['/api/v1/recentTrades', '/api/v1/trades'],
  decode: eventDecoder({ unitsOf }, [{ frameOf: lists, table: TRADE }]),
};
