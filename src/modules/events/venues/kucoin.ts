import { isWire } from '../../../domain/read.ts';
import { ms, NANOSECONDS } from '../../../venues/grammar/field.ts';
import { unitsOf } from '../../../venues/kucoin/wire.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { answerRows, idAt, named, priceAt, rowsAt, sizeAt, takerAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable, InverseContract } from '../grammar/table.ts';

const TRADE: EventTable = {
  symbol: named('symbol'),
  time: ms('ts', NANOSECONDS),
  price: priceAt('price', 'fill'),
  size: sizeAt('size', 'contracts'),
  id: idAt('tradeId'),
  taker: takerAt('side'),
};

function pushed(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || !/^\/contractMarket\/execution:/.test(String(payload.topic))) return undefined;
  const rows = rowsAt(payload, 'data');
  return rows && { rows };
}

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.topic !== undefined ? undefined : answerRows(['tradeId'])(payload);

/** A lot of a coin-margined contract is one dollar. */
const inverse = (symbol: string): InverseContract | undefined => {
  const base = /^(.+)USDM$/.exec(symbol)?.[1];
  return base === undefined ? undefined : { base, usd: 1 };
};

export const kucoin: EventVenue = {
  id: 'kucoin',
  paths: ['/api/v1/trade/history'],
  decode: eventDecoder({ unitsOf, inverse }, [
    { frameOf: pushed, table: TRADE },
    { frameOf: answer, table: TRADE },
  ]),
};
