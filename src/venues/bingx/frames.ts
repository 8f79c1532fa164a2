import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putVolume } from '../amounts.ts';
import { readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { keepPatch, put } from '../quote-field.ts';
import { takeDepthFrame, takeIncrement } from './books.ts';
import { PUBLISHED } from './published.ts';
import { isRefusal, unitsOf } from './wire.ts';

/** `BTC-USDT@depth20@200ms`: the contract and what is told of it. */
const TYPE = /^([^@]+)@([A-Za-z]+)/;

/** The keep-alive comes as plain text. */
const PING = /^p[io]ng$/i;

/** Topics by the event that a push states, for pushes whose `dataType` is blank. */
const EVENTS: Readonly<Record<string, string>> = {
  bookTicker: 'bookTicker',
  markPriceUpdate: 'markPrice',
  '24hTicker': 'ticker',
};

/** Contract and topic of a push: its `dataType` says them, else the event in its data. */
function subjectOf(frame: Wire): readonly [symbol: string | undefined, topic: string | undefined] {
  const [, named, topic] = TYPE.exec(readText(frame.dataType) ?? '') ?? [];
  if (topic !== undefined || !isWire(frame.data)) return [named, topic];
  return [readText(frame.data.s), EVENTS[readText(frame.data.e) ?? '']];
}

/** Frames of `/swap-market`; an answer to a subscription has no data. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if ((typeof payload === 'string' && PING.test(payload)) || isRefusal(payload, out)) return out;
  const frame = isWire(payload) ? payload : {};
  const isAnswer = frame.id !== undefined && frame.data === null;
  if (isAnswer || frame.reqType !== undefined) return out;
  const [named, topic] = subjectOf(frame);
  const rows: readonly unknown[] = Array.isArray(frame.data) ? frame.data : [frame.data];
  if (topic === undefined || !rows.every(isWire)) {
    out.rejects.push({
      symbol: named ?? null,
      reason: 'unexpected_shape',
      detail: 'no data of a known type',
    });
    return out;
  }
  readOneContract(named, unitsOf, context, out, (symbol, units) => {
    for (const row of rows) {
      if (topic === 'incrDepth') takeIncrement(row, symbol, units, out);
      else if (topic === 'depth') takeDepthFrame(row, symbol, units, frame.ts, out);
      else takeQuote(topic, row, symbol, units, out);
    }
  });
  return out;
}

type Take = (row: Wire, q: QuotePatch, units: ContractUnits, out: Decoded) => void;

/** Metrics by topic; trades, candles and last prices hold nothing of ours. */
const TOPICS: Readonly<Record<string, Take>> = {
  markPrice: (row, q, { multiplier }, { rejects }) => {
    put(q, 'markPrice', readPrice(row.p, multiplier), row.p, rejects);
    put(q, 'venueTime', readMs(row.E), row.E, rejects);
  },
  ticker: (row, q, units, { rejects }) => {
    const { multiplier } = units;
    putVolume(q, PUBLISHED.volume, { base: row.v, quote: row.q }, units, rejects);
    put(q, 'bestBid', readPrice(row.B, multiplier), row.B, rejects);
    put(q, 'bestAsk', readPrice(row.A, multiplier), row.A, rejects);
    put(q, 'venueTime', readMs(row.E), row.E, rejects);
  },
  // `T` is the touch's own time, which can lie minutes behind the push.
  bookTicker: (row, q, { multiplier }, { rejects }) => {
    put(q, 'bestBid', readPrice(row.b, multiplier), row.b, rejects);
    put(q, 'bestAsk', readPrice(row.a, multiplier), row.a, rejects);
    put(q, 'venueTime', readMs(row.T), row.T, rejects);
  },
};

function takeQuote(topic: string, row: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const take = TOPICS[topic];
  if (take === undefined) return;
  const q: QuotePatch = { symbol };
  take(row, q, units, out);
  keepPatch(q, out.quotes, out.rejects);
}
