import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readNumber, readPrice, readRate, readText, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putVolume } from '../amounts.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { type ContractUnits, contractUnitsOf } from '../contract-units.ts';
import { readLevels } from '../levels.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { PUBLISHED } from './published.ts';
import { bodyOf, contracts, SECONDS } from './rows.ts';

type Cells = readonly unknown[];

/** A push of `wss://wss.whitebit.com/ws`; acknowledgements and pongs carry `result` instead of `method`. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const method = isWire(payload) ? readText(payload.method) : undefined;
  const params = isWire(payload) ? wireArray(payload.params) : undefined;
  if (method === undefined || params === undefined) {
    const body = bodyOf(payload, out);
    if (out.rejects.length === 0 && body === payload) {
      out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no method' });
    }
    return out;
  }
  switch (method) {
    case 'depth_update':
      takeDepth(params, context, out);
      break;
    case 'premiumIndex_update':
      for (const cells of recordsOf(params)) takePremium(cells, context, out);
      break;
    case 'bookTicker_update':
      for (const cells of recordsOf(params)) takeTouch(cells, context, out);
      break;
    case 'market_update':
      takeMarket(params, context, out);
      break;
    default:
      out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: `method ${method.slice(0, 40)}` });
  }
  return out;
}

/** Records of all markets come in one list; that of a named market comes bare. */
function recordsOf(params: Cells): readonly Cells[] {
  if (!Array.isArray(params[0])) return [params];
  return params.map((record: unknown) => wireArray(record) ?? []);
}

/** Calls `take` for a contract that is to be read; any other name becomes a reject. */
function withContract(
  name: unknown,
  context: DecodeContext,
  out: Decoded,
  take: (symbol: string, units: ContractUnits) => void,
): void {
  const symbol = readText(name);
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'malformed', detail: 'record without market' });
    return;
  }
  const units = contractUnitsOf(context, symbol, contracts.parseSymbol, 1);
  if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
  else take(symbol, units);
}

/**
 * `[whole, book, market]`. A side without changes is left out; amount "0" removes the level. A change must follow
 * the update that `past_update_id` names; numbers are not dense.
 */
function takeDepth([whole, book, market]: Cells, context: DecodeContext, out: Decoded): void {
  withContract(market, context, out, (symbol, units) => {
    if (!isWire(book) || typeof whole !== 'boolean' || (book.asks ?? book.bids) === undefined) {
      out.rejects.push({ symbol, reason: 'malformed', detail: 'book' });
      return;
    }
    const bids = readLevels(book.bids ?? [], units.multiplier);
    const asks = readLevels(book.asks ?? [], units.multiplier);
    const previousSequence = readNumber(book.past_update_id);
    addBook(
      out,
      symbol,
      whole ? 'snapshot' : 'delta',
      units,
      { bids, asks },
      {
        ...bookStamps(book.update_id, undefined, book.event_time ?? book.timestamp, SECONDS),
        ...(previousSequence === undefined ? {} : { previousSequence }),
      },
    );
  });
}

/** `[market, mark, index, rate, next settlement, sent]`; the settlement is in ms, in seconds by the documents. */
function takePremium(cells: Cells, context: DecodeContext, out: Decoded): void {
  const [market, mark, index, rate, next] = cells;
  withContract(market, context, out, (symbol, { multiplier }) => {
    const { rejects } = out;
    const q: QuotePatch = { symbol };
    need(q, 'fundingRate', readRate(rate), rate, rejects);
    put(q, 'nextFundingTime', readMs(next) ?? readMs(next, SECONDS), next, rejects);
    put(q, 'markPrice', readPrice(mark, multiplier), mark, rejects);
    put(q, 'indexPrice', readPrice(index, multiplier), index, rejects);
    keepPatch(q, out.quotes, rejects);
  });
}

/** `[transaction time, message time, market, update, bid, its amount, ask, its amount]`. */
function takeTouch([, , market, , bid, , ask]: Cells, context: DecodeContext, out: Decoded): void {
  withContract(market, context, out, (symbol, { multiplier }) => {
    const q: QuotePatch = { symbol };
    put(q, 'bestBid', readPrice(bid, multiplier), bid, out.rejects);
    put(q, 'bestAsk', readPrice(ask, multiplier), ask, out.rejects);
    keepPatch(q, out.quotes, out.rejects);
  });
}

/** `[market, statistics]` of the last `period` seconds; only those of a day are volumes of 24 h. */
function takeMarket([market, stats]: Cells, context: DecodeContext, out: Decoded): void {
  withContract(market, context, out, (symbol, units) => {
    if (!isWire(stats) || readNumber(stats.period) !== 86_400) {
      out.rejects.push({ symbol, reason: 'unknown_unit', detail: 'statistics of another period' });
      return;
    }
    const q: QuotePatch = { symbol };
    const traded = { base: stats.volume, quote: stats.deal };
    putVolume(q, PUBLISHED.volume, traded, units, out.rejects);
    keepPatch(q, out.quotes, out.rejects);
  });
}
