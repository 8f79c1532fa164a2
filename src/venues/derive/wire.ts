import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readRate, readText, readUsd, type Wire } from '../../domain/read.ts';
import { baseName } from '../../domain/ticker.ts';
import { asHours } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterestBase, putVolumeBase } from '../base-amount.ts';
import { addUnitBook, bookStamps } from '../book-message.ts';
import { errorText } from '../error-text.ts';
import { nextHour } from '../hour.ts';
import { readLevels } from '../levels.ts';
import { keepPatch, put } from '../quote-field.ts';
import { type Contracts, eachContract, eachRow } from '../rows.ts';
import { scaleOf } from '../scale.ts';
import { readTakerFeeBps } from '../taker-fee.ts';

/** The rate is per hour and accrues continuously; history rows are hourly. */
const INTERVAL = asHours(1);

const PERP = /^(.+)-PERP$/;
const CHANNEL = /(?:ticker_slim|ticker|orderbook)\.([A-Za-z0-9]+-[A-Za-z0-9-]+)/;

/** Base of `BTC-PERP`; undefined for options and spot. */
export function baseOf(symbol: string): string | undefined {
  return PERP.exec(symbol)?.[1];
}

const contracts: Contracts = {
  spell: (symbol) => {
    const base = baseOf(symbol);
    if (base !== undefined) return { base };
    return symbol.split('-').length > 2 ? 'option' : 'spot';
  },
  contractSize: 1,
};

/** `result` of an answer; an error body (also inside HTTP 200) is a reject and undefined. */
function resultOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  if (isWire(payload.error)) {
    const detail = errorText(payload.error.code, payload.error.message);
    out.rejects.push({ symbol: null, reason: 'error_body', detail });
    return undefined;
  }
  return payload.result === undefined ? payload : payload.result;
}

/** `get_all_instruments`, `get_instruments`: active perpetuals with their taker fee. */
export function decodeInstruments(payload: unknown): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  const rows = isWire(result) && result.instruments !== undefined ? result.instruments : result;
  eachRow(rows, 'instrument_name', out, (row, symbol) => {
    const type = readText(row.instrument_type);
    const base = baseOf(symbol);
    if (type !== 'perp' || base === undefined) {
      out.rejects.push({ symbol, reason: type === 'option' ? 'option' : 'spot' });
    } else if (row.is_active !== true) {
      out.rejects.push({ symbol, reason: 'not_trading' });
    } else {
      const takerFeeBps = readTakerFeeBps(row.taker_fee_rate);
      out.instruments.push({
        venue: 'derive',
        symbol,
        base,
        ...baseName(base),
        contractSize: 1,
        quote: readText(row.quote_currency) ?? 'USD',
        settle: 'USDC',
        fundingIntervalHours: INTERVAL,
        ...(takerFeeBps === undefined ? {} : { takerFeeBps }),
      });
    }
  });
  return out;
}

/** Adds what a slim ticker says: one-letter keys, `stats.v` is USD volume, `stats.pr` is premium volume (unused). */
function takeSlim(out: Decoded, row: Wire, symbol: string, context: DecodeContext): void {
  const scale = scaleOf(context, symbol, contracts.spell, 1);
  if (typeof scale === 'string') {
    out.rejects.push({ symbol, reason: scale });
    return;
  }
  const { rejects } = out;
  const { multiplier } = scale;
  const q: QuotePatch = { symbol };
  put(q, 'fundingRate', readRate(row.f), row.f, rejects);
  put(q, 'markPrice', readPrice(row.M, multiplier), row.M, rejects);
  put(q, 'indexPrice', readPrice(row.I, multiplier), row.I, rejects);
  put(q, 'bestBid', readPrice(row.b, multiplier), row.b, rejects);
  put(q, 'bestAsk', readPrice(row.a, multiplier), row.a, rejects);
  const stats = isWire(row.stats) ? row.stats : {};
  putOpenInterestBase(q, stats.oi, multiplier, rejects);
  putVolumeBase(q, stats.c, multiplier, rejects);
  const volume = readUsd(stats.v);
  put(q, 'volume24hUsd', volume, stats.v, rejects);
  if (volume !== undefined) q.volume24hRaw = volume;
  finish(out, q, row.t, context);
}

/** Stamps a quote; the next settlement is the full hour after the stamp. */
function finish(out: Decoded, q: QuotePatch, stamp: unknown, context: DecodeContext): void {
  const time = readMs(stamp);
  if (Object.keys(q).length > 1) {
    q.fundingIntervalHours = INTERVAL;
    const next = nextHour(time ?? context.receivedAt);
    if (next !== undefined) q.nextFundingTime = next;
    if (time !== undefined) q.venueTime = time;
  }
  keepPatch(q, out.quotes, out.rejects);
}

/** `get_tickers {"instrument_type":"perp"}`: slim tickers keyed by instrument. */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  const tickers = isWire(result) && isWire(result.tickers) ? result.tickers : undefined;
  if (tickers === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no tickers' });
    return out;
  }
  for (const symbol in tickers) {
    const row = tickers[symbol];
    if (isWire(row)) takeSlim(out, row, symbol, context);
    else out.rejects.push({ symbol, reason: 'malformed', detail: 'ticker' });
  }
  return out;
}

/** `get_ticker` (one instrument, long names; deprecated by the venue): volume in base only. */
export function decodeTicker(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachContract(result, 'instrument_name', out, context, contracts, (row, symbol, { multiplier }) => {
    const { rejects } = out;
    const q: QuotePatch = { symbol };
    const perp = isWire(row.perp_details) ? row.perp_details : {};
    const stats = isWire(row.stats) ? row.stats : {};
    put(q, 'fundingRate', readRate(perp.funding_rate), perp.funding_rate, rejects);
    put(q, 'markPrice', readPrice(row.mark_price, multiplier), row.mark_price, rejects);
    put(q, 'indexPrice', readPrice(row.index_price, multiplier), row.index_price, rejects);
    put(q, 'bestBid', readPrice(row.best_bid_price, multiplier), row.best_bid_price, rejects);
    put(q, 'bestAsk', readPrice(row.best_ask_price, multiplier), row.best_ask_price, rejects);
    putOpenInterestBase(q, stats.open_interest, multiplier, rejects);
    putVolumeBase(q, stats.contract_volume, multiplier, rejects);
    finish(out, q, row.timestamp, context);
  });
  return out;
}

/** The instrument a request's body or channel names: answers and slim frames do not repeat it. */
function askedInstrument(context: DecodeContext): string | undefined {
  const text = `${context.request?.path ?? ''} ${context.request?.body ?? ''}`;
  return /"instrument_name"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? CHANNEL.exec(text)?.[1];
}

/** `get_funding_rate_history`: hourly rates of the instrument that was asked for. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  const rows = isWire(result) ? result.funding_rate_history : result;
  const symbol = askedInstrument(context);
  if (!Array.isArray(rows) || symbol === undefined) {
    out.rejects.push({ symbol: symbol ?? null, reason: 'unexpected_shape', detail: 'no funding history' });
    return out;
  }
  for (const row of rows as readonly unknown[]) {
    const time = isWire(row) ? readMs(row.timestamp) : undefined;
    const rate = isWire(row) ? readRate(row.funding_rate) : undefined;
    if (time === undefined || rate === undefined) {
      out.rejects.push({ symbol, reason: 'malformed', detail: 'funding row' });
    } else {
      out.funding.push({ symbol, time, rate, intervalHours: INTERVAL });
    }
  }
  return out;
}

/** Frames: `ticker_slim.<instrument>.<ms>` and `orderbook.<instrument>.<group>.<depth>` (each a whole book). */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame = isWire(payload) ? payload : {};
  if (frame.result !== undefined) return out;
  if (isWire(frame.error)) {
    resultOf(frame, out);
    return out;
  }
  const params = isWire(frame.params) ? frame.params : {};
  const data = isWire(params.data) ? params.data : frame;
  const channel = readText(params.channel) ?? context.request?.path ?? '';
  if (isWire(data.instrument_ticker)) {
    const symbol = CHANNEL.exec(channel)?.[1];
    if (symbol === undefined) out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'channel' });
    else takeSlim(out, data.instrument_ticker, symbol, context);
  } else {
    takeBook(out, data, context);
  }
  return out;
}

function takeBook(out: Decoded, data: Wire, context: DecodeContext): void {
  eachContract(data, 'instrument_name', out, context, contracts, (row, symbol, { multiplier }) => {
    const sides = { bids: readLevels(row.bids, multiplier), asks: readLevels(row.asks, multiplier) };
    const stamps = bookStamps(row.publish_id, undefined, row.timestamp);
    addUnitBook(out, symbol, 'snapshot', sides, stamps);
  });
}
