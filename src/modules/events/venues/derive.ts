import { isWire, readText, type Wire } from '../../../domain/read.ts';
import { unitsOf } from '../../../venues/derive/wire.ts';
import { ms } from '../../../venues/grammar/field.ts';
import { isStated } from '../../../venues/quote-field.ts';
import type { EventReason } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import {
  answerRows,
  atMark,
  byPosition,
  idAt,
  named,
  objectAt,
  priceAt,
  rowsAt,
  sizeAt,
  takerAt,
  takerBySign,
} from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

/** Each trade has two rows with one id; a quote on request is no trade of the book. */
function leftOut({ liquidity_role: role, quote_id: quote, rfq_id: rfq }: Wire): EventReason | undefined {
  if (isStated(quote) || isStated(rfq)) return 'off_book';
  if (role === 'taker' || role === undefined) return undefined;
  return role === 'maker' ? 'maker_row' : 'malformed';
}

const TRADE: EventTable = {
  symbol: named('instrument_name'),
  leftOut,
  time: ms('timestamp'),
  price: priceAt('trade_price', 'fill'),
  size: sizeAt('trade_amount', 'base'),
  id: idAt('trade_id'),
  taker: takerAt('direction'),
};

/** A bid takes a part of every position of an account, so that no contract has a price of its own. */
const TAKEN: EventTable = {
  symbol: named('instrument'),
  time: ms('timestamp'),
  price: atMark,
  size: sizeAt('amount', 'base', { isSigned: true }),
  id: ({ tx_hash: transaction, instrument }) =>
    isStated(transaction) ? `${String(transaction)}/${String(instrument)}` : undefined,
  liquidated: byPosition(takerBySign('amount')),
};

/** One row for each contract that a bid took, whatever its kind. */
function takenBy(bid: unknown): readonly unknown[] {
  const amounts = objectAt(bid, 'amounts_liquidated');
  if (!isWire(bid) || amounts === undefined) return [null];
  const { timestamp, tx_hash } = bid;
  return Object.entries(amounts).map(([instrument, amount]) => ({ instrument, amount, timestamp, tx_hash }));
}

function auctions(payload: unknown): EventFrame | undefined {
  const list = rowsAt(objectAt(payload, 'result') ?? payload, 'auctions');
  if (list === undefined) return undefined;
  return { rows: list.flatMap((auction) => (rowsAt(auction, 'bids') ?? [null]).flatMap(takenBy)) };
}

function pushed(payload: unknown): EventFrame | undefined {
  const params = objectAt(payload, 'params');
  if (!/^trades\./.test(readText(params?.channel) ?? '')) return undefined;
  const rows = rowsAt(params, 'data');
  return rows && { rows };
}

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.params !== undefined
    ? undefined
    : answerRows(['trade_price', 'trade_id'], ['result.trades', 'trades', 'result', 'data'])(payload);

export const derive: EventVenue = {
  id: 'derive',
  paths: ['public/get_liquidation_history', 'public/get_trade_history'],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: auctions, table: TAKEN },
    { frameOf: pushed, table: TRADE },
    { frameOf: answer, table: TRADE },
  ]),
};
