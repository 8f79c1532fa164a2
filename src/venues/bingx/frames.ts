import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { oneContract } from '../contract-rows.ts';
import { keepPatch, put } from '../quote-field.ts';
import type { Scale } from '../scale.ts';
import { takeDepthFrame, takeIncrement } from './books.ts';
import { putVolume } from './metrics.ts';
import { isRefusal, scaling } from './wire.ts';

/** `BTC-USDT@depth20@200ms`: the contract and what is told of it. */
const TYPE = /^([^@]+)@([A-Za-z]+)/;

/** The keep-alive comes as plain text. */
const PING = /^p[io]ng$/i;

/** Frames of `/swap-market`, told apart by `dataType`; an answer to a subscription has none. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if ((typeof payload === 'string' && PING.test(payload)) || isRefusal(payload, out)) return out;
  const frame = isWire(payload) ? payload : {};
  const [, named, topic] = TYPE.exec(readText(frame.dataType) ?? '') ?? [];
  const isAnswer = frame.id !== undefined && frame.data === null;
  if (isAnswer || frame.reqType !== undefined) return out;
  if (topic === undefined || !isWire(frame.data)) {
    if (topic === undefined || !Array.isArray(frame.data)) {
      out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no data of a known type' });
    }
    return out;
  }
  const { data } = frame;
  oneContract(named, scaling, context, out, (symbol, scale) => {
    if (topic === 'incrDepth') takeIncrement(data, symbol, scale, out);
    else if (topic === 'depth') takeDepthFrame(data, symbol, scale, frame.ts, out);
    else takeQuote(topic, data, symbol, scale, out);
  });
  return out;
}

type Take = (row: Wire, q: QuotePatch, multiplier: number, out: Decoded) => void;

/** Metrics by topic; trades, candles and last prices hold nothing of ours. */
const TOPICS: Readonly<Record<string, Take>> = {
  markPrice: (row, q, multiplier, { rejects }) => {
    put(q, 'markPrice', readPrice(row.p, multiplier), row.p, rejects);
    put(q, 'venueTime', readMs(row.E), row.E, rejects);
  },
  ticker: (row, q, multiplier, { rejects }) => {
    putVolume(q, row.v, row.q, multiplier, rejects);
    put(q, 'bestBid', readPrice(row.B, multiplier), row.B, rejects);
    put(q, 'bestAsk', readPrice(row.A, multiplier), row.A, rejects);
    put(q, 'venueTime', readMs(row.E), row.E, rejects);
  },
  // `T` is the touch's own time, which can lie minutes behind the push.
  bookTicker: (row, q, multiplier, { rejects }) => {
    put(q, 'bestBid', readPrice(row.b, multiplier), row.b, rejects);
    put(q, 'bestAsk', readPrice(row.a, multiplier), row.a, rejects);
    put(q, 'venueTime', readMs(row.T), row.T, rejects);
  },
};

function takeQuote(topic: string, row: Wire, symbol: string, { multiplier }: Scale, out: Decoded): void {
  const take = TOPICS[topic];
  if (take === undefined) return;
  const q: QuotePatch = { symbol };
  take(row, q, multiplier, out);
  keepPatch(q, out.quotes, out.rejects);
}
