import { isWire, readText } from '../../../domain/read.ts';
import { ms, SECONDS } from '../../../venues/grammar/field.ts';
import { unitsOf } from '../../../venues/whitebit/wire.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { answerRows, idAt, named, priceAt, sizeAt, takerAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

/** Times are seconds with a fraction. */
const TRADE: EventTable = {
  symbol: named('market'),
  time: ms('time', SECONDS),
  price: priceAt('price', 'fill'),
  size: sizeAt('amount', 'base'),
  id: idAt('id'),
  taker: takerAt('type', 'side'),
  mark: ({ rpi }) => (rpi === true ? 'rpi' : undefined),
};

const REST_TRADE: EventTable = {
  ...TRADE,
  symbol: named('market'),
  time: ms('trade_timestamp', SECONDS),
  size: sizeAt('base_volume', 'base'),
  id: idAt('tradeID'),
};

/** `params` is the market and its rows, newest first. */
function pushed(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || payload.method !== 'trades_update' || !Array.isArray(payload.params))
    return undefined;
  const [market, rows] = payload.params as readonly unknown[];
  return Array.isArray(rows) ? { rows, symbol: readText(market) } : undefined;
}

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.method !== undefined ? undefined : answerRows(['tradeID'])(payload);

export const whitebit: EventVenue = {
  id: 'whitebit',
  paths: ['/api/v4/public/trades/*'],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: pushed, table: TRADE },
    { frameOf: answer, table: REST_TRADE },
  ]),
};
