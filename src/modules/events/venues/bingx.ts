import { isWire, readText } from '../../../domain/read.ts';
import { unitsOf } from '../../../venues/bingx/wire.ts';
import { ms } from '../../../venues/grammar/field.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { answerRows, idAt, named, priceAt, rowsAt, sizeAt, takerByMaker } from '../grammar/fields.ts';
import type { EventFrame, EventTable, InverseContract } from '../grammar/table.ts';

const TRADE: EventTable = {
  symbol: named('s'),
  time: ms('T'),
  price: priceAt('p', 'fill'),
  size: sizeAt('q', 'base'),
  id: idAt('t'),
  taker: takerByMaker('m'),
};

const REST_TRADE: EventTable = {
  symbol: named('symbol'),
  time: ms('time'),
  price: priceAt('price', 'fill'),
  size: sizeAt('qty', 'base', { value: 'quoteQty' }),
  id: idAt('id', 'fillId'),
  taker: takerByMaker('isBuyerMaker'),
};

function pushed(payload: unknown): EventFrame | undefined {
  const symbol = isWire(payload) ? /^(.+)@trade$/.exec(readText(payload.dataType) ?? '')?.[1] : undefined;
  const rows = symbol === undefined ? undefined : rowsAt(payload, 'data');
  return rows && { rows, symbol };
}

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.dataType !== undefined ? undefined : answerRows(['isBuyerMaker'])(payload);

/** Sizes of coin-margined contracts count contracts, whose dollars no document that was found states. */
const inverse = (symbol: string): InverseContract | undefined => {
  const base = /^([^-]+)-USD$/.exec(symbol)?.[1];
  return base === undefined ? undefined : { base };
};

export const bingx: EventVenue = {
  id: 'bingx',
  paths: ['/openApi/swap/v2/quote/trades', '/openApi/swap/v1/market/historicalTrades'],
  decode: eventDecoder({ unitsOf, inverse }, [
    { frameOf: pushed, table: TRADE },
    { frameOf: answer, table: REST_TRADE },
  ]),
};
