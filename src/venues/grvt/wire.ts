import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import {
  isWire,
  readBase,
  readHours,
  readMs,
  readNumber,
  readPrice,
  readRate,
  readText,
  type Wire,
} from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { addUnitBook, bookStamps } from '../book-message.ts';
import type { ContractUnits } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { fieldFault } from '../field-fault.ts';
import { keyedLevels } from '../keyed-levels.ts';
import { keepPatch, put } from '../quote-field.ts';
import { type Contracts, eachContract, eachRow } from '../rows.ts';
import { PUBLISHED } from './published.ts';

/** Rates are percent per interval. */
const PERCENT = 0.01;
/** Times are nanoseconds as text. */
const NS = 1e-6;

const PERP = /^(.+)_USDT_Perp$/;

/** Base of `BTC_USDT_Perp`; undefined for futures and options. */
export function baseOf(symbol: string): string | undefined {
  return PERP.exec(symbol)?.[1];
}

function outOfScope(symbol: string): OutOfScopeReason {
  if (/_Fut_/.test(symbol)) return 'dated';
  return /_(Call|Put)_/.test(symbol) ? 'option' : 'foreign_quote';
}

const contracts: Contracts = {
  parseSymbol: (symbol) => {
    const base = baseOf(symbol);
    return base === undefined ? outOfScope(symbol) : { base };
  },
  contractSize: 1,
};

/** `result` of an answer, or the bare row; an error body is a reject and undefined. */
function resultOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  const error = isWire(payload.error) ? payload.error : payload;
  if (error.code !== undefined && error.message !== undefined) {
    const detail = errorText(error.code, error.message);
    out.rejects.push({ symbol: null, reason: 'error_body', detail });
    return undefined;
  }
  return payload.result === undefined ? payload : payload.result;
}

/** `all_instruments`: active perpetuals in USDT with the interval of each. */
export function decodeInstruments(payload: unknown): Decoded {
  const out = emptyDecoded();
  const rows = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachRow(rows, 'instrument', out, (row, symbol) => {
    const base = baseOf(symbol);
    if (base === undefined || row.kind !== 'PERPETUAL') {
      out.rejects.push({ symbol, reason: outOfScope(symbol) });
    } else if (row.status !== undefined && row.status !== 'ACTIVE') {
      out.rejects.push({ symbol, reason: 'not_trading', detail: String(row.status) });
    } else {
      const hours = readHours(row.funding_interval_hours);
      if (hours === undefined) {
        out.rejects.push(fieldFault(symbol, 'funding_interval_hours', row.funding_interval_hours));
      }
      out.instruments.push({
        venue: 'grvt',
        symbol,
        base,
        ...baseName(base),
        contractSize: 1,
        quote: 'USDT',
        settle: 'USDT',
        ...(hours === undefined ? {} : { fundingIntervalHours: hours }),
      });
    }
  });
  return out;
}

/** Taker buys plus taker sells, which are each trade once; the half that cannot be read where one cannot. */
function whole(buys: unknown, sells: unknown): unknown {
  const [bought, sold] = [readBase(buys), readBase(sells)];
  if (bought === undefined || sold === undefined) return bought === undefined ? buys : sells;
  return bought + sold;
}

/** A ticker of REST or of the socket (`v1.ticker.s`, `v1.mini.s`; deltas hold only what changed). */
function takeTicker(out: Decoded, row: Wire, symbol: string, units: ContractUnits): void {
  const { multiplier } = units;
  const { rejects } = out;
  const q: QuotePatch = { symbol };
  put(q, 'fundingRate', readRate(row.funding_rate, PERCENT), row.funding_rate, rejects);
  put(q, 'fundingIntervalHours', readHours(row.funding_interval_hours), row.funding_interval_hours, rejects);
  put(q, 'nextFundingTime', readMs(row.next_funding_time, NS), row.next_funding_time, rejects);
  put(q, 'markPrice', readPrice(row.mark_price, multiplier), row.mark_price, rejects);
  put(q, 'indexPrice', readPrice(row.index_price, multiplier), row.index_price, rejects);
  put(q, 'bestBid', readPrice(row.best_bid_price, multiplier), row.best_bid_price, rejects);
  put(q, 'bestAsk', readPrice(row.best_ask_price, multiplier), row.best_ask_price, rejects);
  putOpenInterest(q, PUBLISHED.openInterest, { base: row.open_interest }, units, rejects);
  const traded = {
    base: whole(row.buy_volume_24h_b, row.sell_volume_24h_b),
    quote: whole(row.buy_volume_24h_q, row.sell_volume_24h_q),
  };
  putVolume(q, PUBLISHED.volume, traded, units, rejects);
  const time = readMs(row.event_time, NS);
  if (time !== undefined && Object.keys(q).length > 1) q.venueTime = time;
  keepPatch(q, out.quotes, rejects);
}

/** `ticker {"instrument"}`: all metrics of one contract. */
export function decodeTicker(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const row = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachContract(row, 'instrument', out, context, contracts, (ticker, symbol, units) => {
    takeTicker(out, ticker, symbol, units);
  });
  return out;
}

/** `funding`: rates paid. An interval of 0 is of the time when funding ran by the minute: unknown. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachContract(rows, 'instrument', out, context, contracts, (row, symbol, { multiplier }) => {
    const time = readMs(row.funding_time, NS);
    const rate = readRate(row.funding_rate, PERCENT);
    if (time === undefined || rate === undefined) {
      out.rejects.push({ symbol, reason: 'malformed', detail: 'funding row' });
      return;
    }
    const hours = readHours(row.funding_interval_hours);
    const mark = readPrice(row.mark_price, multiplier);
    out.funding.push({
      symbol,
      time,
      rate,
      ...(hours === undefined ? {} : { intervalHours: hours }),
      ...(mark === undefined ? {} : { markPrice: mark }),
    });
  });
  return out;
}

/** `kline` of type MARK or INDEX: the close of the candle that opens at `open_time`. */
export function decodeKline(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  const type = /"type"\s*:\s*"(\w+)"/.exec(context.request?.body ?? '')?.[1];
  if (type !== 'MARK' && type !== 'INDEX') {
    out.rejects.push({ symbol: null, reason: 'unknown_unit', detail: 'candles of trades' });
    return out;
  }
  eachContract(rows, 'instrument', out, context, contracts, (row, symbol, { multiplier }) => {
    const time = readMs(row.open_time, NS);
    const close = readPrice(row.close, multiplier);
    if (time === undefined || close === undefined) {
      out.rejects.push({ symbol, reason: 'malformed', detail: 'candle' });
      return;
    }
    out.history.push({ symbol, time, ...(type === 'MARK' ? { markPrice: close } : { indexPrice: close }) });
  });
  return out;
}

interface Sequence {
  readonly sequence?: number;
  readonly previousSequence?: number;
}

function takeBook(
  out: Decoded,
  data: unknown,
  context: DecodeContext,
  kind: 'snapshot' | 'delta',
  ids: Sequence,
) {
  eachContract(data, 'instrument', out, context, contracts, (row, symbol, { multiplier }) => {
    const side = (levels: unknown) => keyedLevels(levels, 'price', 'size', multiplier);
    const stamps = { ...ids, ...bookStamps(undefined, undefined, row.event_time, NS) };
    addUnitBook(out, symbol, kind, { bids: side(row.bids), asks: side(row.asks) }, stamps);
  });
}

/** `book {"instrument","depth"}`. */
export function decodeBook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  takeBook(out, data, context, 'snapshot', {});
  return out;
}

/** Frames by stream. `v1.book.d` begins with a snapshot numbered 0/0; later ones chain by the previous number. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame = isWire(payload) ? payload : {};
  const stream = readText(frame.stream);
  const feed = frame.feed;
  if (stream === undefined || !isWire(feed)) {
    if (isWire(frame.result)) return out;
    resultOf(payload, out);
    if (out.rejects.length === 0) out.rejects.push({ symbol: null, reason: 'unexpected_shape' });
    return out;
  }
  if (stream.startsWith('v1.book')) {
    const sequence = readNumber(frame.sequence_number);
    const previousSequence = readNumber(frame.prev_sequence_number);
    const whole = stream === 'v1.book.s' || (sequence === 0 && previousSequence === 0);
    takeBook(out, feed, context, whole ? 'snapshot' : 'delta', {
      ...(sequence === undefined ? {} : { sequence }),
      ...(previousSequence === undefined || whole ? {} : { previousSequence }),
    });
  } else if (stream.startsWith('v1.ticker') || stream.startsWith('v1.mini')) {
    eachContract(feed, 'instrument', out, context, contracts, (row, symbol, units) => {
      takeTicker(out, row, symbol, units);
    });
  }
  return out;
}
