import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { eachContract, readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { keepPatch, put } from '../quote-field.ts';
import { overviewV1, takeOverview } from './amounts.ts';
import { takeDepthFrame } from './books.ts';
import { decodeContracts } from './instruments.ts';
import { putComing, putTouch, stampOf } from './metrics.ts';
import { anyScaling, channelOf, isRefusal, unitsOf } from './wire.ts';

/** Frames of the market, index and notification sockets. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (isRefusal(payload, out)) return out;
  const frame = isWire(payload) ? payload : {};
  const channel = channelOf(frame.ch);
  if (channel !== undefined && isWire(frame.tick)) takePush(channel, frame.tick, context, out);
  else if (frame.op === 'notify') return decodeNotice(frame, context);
  else if (!isControl(frame)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no push' });
  }
  return out;
}

/** Acknowledgements, pings, answers to single requests, and what a client itself sends. */
function isControl(frame: Wire): boolean {
  const { ping, pong, op, subbed, unsubbed, rep, sub, status } = frame;
  return [ping, pong, op, subbed, unsubbed, rep, sub, status].some((field) => field !== undefined);
}

function takePush(
  [named, subject]: readonly [string, string],
  tick: Wire,
  context: DecodeContext,
  out: Decoded,
): void {
  if (subject.startsWith('depth.')) {
    readOneContract(named, anyScaling, context, out, (symbol, units) =>
      takeDepthFrame(tick, symbol, units, out),
    );
    return;
  }
  const take = SUBJECTS.find(([pattern]) => pattern.test(subject))?.[1];
  if (take === undefined) return;
  readOneContract(named, unitsOf, context, out, (symbol, units) => take(tick, symbol, units, out));
}

type Take = (tick: Wire, symbol: string, units: ContractUnits, out: Decoded) => void;

/** The close of the running candle is the price now. */
function takeClose(key: 'markPrice' | 'indexPrice'): Take {
  return (tick, symbol, { multiplier }, out) => {
    const q: QuotePatch = { symbol };
    put(q, key, readPrice(tick.close, multiplier), tick.close, out.rejects);
    keepPatch(q, out.quotes, out.rejects);
  };
}

/** Subjects of ours; candles of trades, premiums and estimates hold nothing. */
const SUBJECTS: readonly (readonly [RegExp, Take])[] = [
  [/^mark_price\./, takeClose('markPrice')],
  [/^index\./, takeClose('indexPrice')],
  [/^detail(?:\.merged)?$/, (tick, symbol, units, out) => takeOverview(tick, symbol, units, overviewV1, out)],
  [
    /^bbo$/,
    (tick, symbol, { multiplier }, out) => {
      const q: QuotePatch = { symbol };
      putTouch(q, tick, multiplier, out);
      keepPatch(q, out.quotes, out.rejects);
    },
  ],
];

/** `public.{contract or *}.funding_rate` and `.contract_info`; other notices hold nothing of ours. */
function decodeNotice(frame: Wire, context: DecodeContext): Decoded {
  const topic = readText(frame.topic) ?? '';
  if (topic.endsWith('.contract_info')) return decodeContracts(frame.data);
  const out = emptyDecoded();
  if (!topic.endsWith('.funding_rate')) return out;
  if (!Array.isArray(frame.data)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no rows' });
    return out;
  }
  const now = stampOf(frame, context);
  eachContract(frame.data, 'contract_code', unitsOf, context, out, (row, symbol) =>
    takeFunding(row, symbol, now, out),
  );
  return out;
}

/**
 * Here `funding_time` is when the rate was computed; `settlement_time` is the coming settlement, or the past one in
 * notices that are sent after it.
 */
function takeFunding(row: Wire, symbol: string, now: UnixMs | undefined, out: Decoded): void {
  const { rejects } = out;
  const q: QuotePatch = { symbol };
  put(q, 'fundingRate', readRate(row.funding_rate), row.funding_rate, rejects);
  putComing(q, [row.settlement_time], now, rejects);
  put(q, 'venueTime', readMs(row.funding_time), row.funding_time, rejects);
  keepPatch(q, out.quotes, rejects);
}
