import { isWire } from '../../../domain/read.ts';
import { unitsOf } from '../../../venues/bybit/wire.ts';
import { ms } from '../../../venues/grammar/field.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { answerRows, byPosition, idAt, named, priceAt, rowsAt, sizeAt, takerAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable, InverseContract } from '../grammar/table.ts';

const LIQUIDATION: EventTable = {
  symbol: named('s'),
  time: ms('T'),
  price: priceAt('p', 'bankruptcy'),
  size: sizeAt('v', 'base'),
  // `Buy` is the position: it printed under the bid 21 of 21 times.
  liquidated: byPosition(takerAt('S')),
};

/** The topic that was withdrawn in 2025: one message a second and contract. */
const OLD_LIQUIDATION: EventTable = {
  ...LIQUIDATION,
  symbol: named('symbol'),
  time: ms('updatedTime'),
  price: priceAt('price', 'bankruptcy'),
  size: sizeAt('size', 'base'),
  liquidated: byPosition(takerAt('side')),
};

const isYes = (raw: unknown): boolean => raw === true || raw === 'true';

const TRADE: EventTable = {
  symbol: named('s'),
  leftOut: ({ BT }) => (isYes(BT) ? 'off_book' : undefined),
  time: ms('T'),
  price: priceAt('p', 'fill'),
  size: sizeAt('v', 'base'),
  id: idAt('i'),
  taker: takerAt('S'),
  mark: ({ RPI }) => (isYes(RPI) ? 'rpi' : undefined),
};

const REST_TRADE: EventTable = {
  symbol: named('symbol'),
  leftOut: ({ isBlockTrade }) => (isYes(isBlockTrade) ? 'off_book' : undefined),
  time: ms('time'),
  price: priceAt('price', 'fill'),
  size: sizeAt('size', 'base'),
  id: idAt('execId'),
  taker: takerAt('side'),
  mark: ({ isRPITrade }) => (isYes(isRPITrade) ? 'rpi' : undefined),
};

/** `snapshot` means nothing here: each row is an event. */
const topic =
  (pattern: RegExp) =>
  (payload: unknown): EventFrame | undefined => {
    if (!isWire(payload) || typeof payload.topic !== 'string' || !pattern.test(payload.topic))
      return undefined;
    const rows = rowsAt(payload, 'data');
    return rows && { rows };
  };

/** One unit of a coin-margined contract is a dollar. */
const inverse = (symbol: string): InverseContract | undefined => {
  const base = /^([A-Z0-9]+)USD$/.exec(symbol)?.[1];
  return base === undefined ? undefined : { base, usd: 1 };
};

export const bybit: EventVenue = {
  id: 'bybit',
  paths: ['/v5/market/recent-trade'],
  decode: eventDecoder({ unitsOf, inverse }, [
    { frameOf: topic(/^allLiquidation\./), table: LIQUIDATION },
    { frameOf: topic(/^liquidation\./), table: OLD_LIQUIDATION },
    { frameOf: topic(/^publicTrade\./), table: TRADE },
    { frameOf: answerRows(['execId'], ['result.list', 'list']), table: REST_TRADE },
  ]),
};
