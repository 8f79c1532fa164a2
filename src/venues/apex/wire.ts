import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import {
  isWire,
  readIso,
  readMs,
  readNumber,
  readPrice,
  readRate,
  readText,
  type Wire,
  wireArray,
} from '../../domain/read.ts';
import { baseName } from '../../domain/ticker.ts';
import { asHours } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { type ContractUnits, contractUnitsOf } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { nextHour } from '../hour.ts';
import { readLevels } from '../levels.ts';
import { keepPatch, put } from '../quote-field.ts';
import { type Contracts, eachRow } from '../rows.ts';
import { PUBLISHED } from './published.ts';

/** A hundred history rows lie exactly an hour apart. */
const INTERVAL = asHours(1);
const MICROSECONDS = 0.001;

/** The venue writes `BTCUSDT` in tickers and books, `BTC-USDT` in history and in `instrumentInfo.all`. */
const joined = (symbol: string): string => symbol.replace('-', '');

/** Base of `BTCUSDT` or `BTC-USDT`. */
export function baseOf(symbol: string): string | undefined {
  return /^(.+?)-?USDT$/.exec(symbol)?.[1];
}

const contracts: Contracts = {
  parseSymbol: (symbol) => {
    const base = baseOf(symbol);
    return base === undefined ? 'foreign_quote' : { base };
  },
  contractSize: 1,
};

/** `data` of an answer, or the bare payload; a `code` beside no data is an error, also inside HTTP 200. */
function dataOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  const { code, data } = payload;
  if (code !== undefined && code !== 0 && code !== '0' && data === undefined) {
    out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(code, payload.msg) });
    return undefined;
  }
  return data === undefined ? payload : data;
}

/** `category` of a stock contract; one without is known to be no coin. */
const STOCK_CLASSES: Readonly<Record<string, AssetClass>> = {
  STOCK: 'equity',
  INDEX: 'index',
  COMMODITY: 'commodity',
};

const stockClass = (row: Wire): AssetClass => STOCK_CLASSES[readText(row.category) ?? ''] ?? 'unknown';

/**
 * `/v3/symbols`: enabled USDT perpetuals of coins and, in a list of their own, of stocks, indices and commodities.
 * Contracts before their launch are rejects, the prediction markets one together.
 */
export function decodeSymbols(payload: unknown): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  const config = isWire(data) && isWire(data.contractConfig) ? data.contractConfig : data;
  const lists: Wire = isWire(config) ? config : { perpetualContract: config };
  const take = (rows: unknown, put: (row: Wire, symbol: string) => void) =>
    eachRow(rows, 'crossSymbolName', out, put);
  take(lists.perpetualContract, (row, symbol) => listContract(out, row, symbol));
  take(lists.stockContract ?? [], (row, symbol) => listContract(out, row, symbol, stockClass(row)));
  take(lists.prelaunchContract ?? [], (_, symbol) => out.rejects.push({ symbol, reason: 'prelisting' }));
  const predictions = wireArray(lists.predictionContract)?.length ?? 0;
  if (predictions > 0) {
    out.rejects.push({ symbol: null, reason: 'not_listed', detail: `${predictions} prediction markets` });
  }
  return out;
}

function listContract(out: Decoded, row: Wire, symbol: string, assetClass?: AssetClass): void {
  const base = readText(row.baseTokenId) ?? baseOf(symbol);
  if (base === undefined || row.settleAssetId !== 'USDT') {
    out.rejects.push({ symbol, reason: 'foreign_quote' });
  } else if (row.enableTrade !== true) {
    out.rejects.push({ symbol, reason: 'not_trading' });
  } else if (row.isPrelaunch !== undefined && row.isPrelaunch !== null && row.isPrelaunch !== false) {
    out.rejects.push({ symbol, reason: 'prelisting' });
  } else {
    out.instruments.push({
      venue: 'apex',
      symbol,
      altId: readText(row.symbol) ?? symbol,
      base,
      ...baseName(base),
      contractSize: 1,
      quote: 'USDT',
      settle: 'USDT',
      ...(assetClass === undefined ? {} : { assetClass }),
      fundingIntervalHours: INTERVAL,
    });
  }
}

function eachOf(
  rows: unknown,
  key: string,
  out: Decoded,
  context: DecodeContext,
  read: (row: Wire, symbol: string, units: ContractUnits) => void,
): void {
  eachRow(rows, key, out, (row, spelled) => {
    const symbol = joined(spelled);
    const units = contractUnitsOf(context, symbol, contracts.parseSymbol, contracts.contractSize);
    if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
    else read(row, symbol, units);
  });
}

/** A ticker with long names (REST and `instrumentInfo.H`); the predicted rate is the one next charged. */
function takeTicker(
  out: Decoded,
  row: Wire,
  symbol: string,
  units: ContractUnits,
  context: DecodeContext,
): void {
  const { multiplier } = units;
  const { rejects } = out;
  const q: QuotePatch = { symbol };
  const rate = row.predictedFundingRate ?? row.fundingRate;
  put(q, 'fundingRate', readRate(rate), rate, rejects);
  put(q, 'markPrice', readPrice(row.markPrice, multiplier), row.markPrice, rejects);
  put(q, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, rejects);
  putOpenInterest(q, PUBLISHED.openInterest, { base: row.openInterest }, units, rejects);
  const traded = { base: row.volume24h, quote: row.turnover24h };
  putVolume(q, PUBLISHED.volume, traded, units, rejects);
  if (q.fundingRate !== undefined) {
    q.fundingIntervalHours = INTERVAL;
    // An old form of the field is a bare clock time; the full hour is meant.
    const next = readIso(row.nextFundingTime) ?? nextHour(context.receivedAt);
    if (next !== undefined) q.nextFundingTime = next;
  }
  if (Object.keys(q).length > 1) out.quotes.push(q);
}

/** `/v3/ticker?symbol=`: a list of one, or the row on its own. */
export function decodeTicker(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachOf(data, 'symbol', out, context, (row, symbol, units) => {
    const before = out.rejects.length + out.quotes.length;
    takeTicker(out, row, symbol, units, context);
    if (out.rejects.length + out.quotes.length === before) keepPatch({ symbol }, out.quotes, out.rejects);
  });
  return out;
}

/** A row of `instrumentInfo.all`: short keys, no predicted rate and no next settlement. */
function takeShort(out: Decoded, row: Wire, symbol: string, units: ContractUnits, withRate: boolean): void {
  const { multiplier } = units;
  const { rejects } = out;
  const q: QuotePatch = { symbol };
  if (withRate) put(q, 'fundingRate', readRate(row.fr), row.fr, rejects);
  if (q.fundingRate !== undefined) q.fundingIntervalHours = INTERVAL;
  put(q, 'markPrice', readPrice(row.mp, multiplier), row.mp, rejects);
  put(q, 'indexPrice', readPrice(row.xp, multiplier), row.xp, rejects);
  putOpenInterest(q, PUBLISHED.openInterest, { base: row.o }, units, rejects);
  putVolume(q, PUBLISHED.volume, { base: row.v, quote: row.to }, units, rejects);
  keepPatch(q, out.quotes, rejects);
}

/** `/v3/history-funding`: hourly rates paid. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachOf(isWire(data) ? data.historyFunds : data, 'symbol', out, context, (row, symbol) => {
    const time = readMs(row.fundingTimestamp) ?? readMs(row.fundingTime);
    const rate = readRate(row.rate);
    if (time === undefined || rate === undefined) {
      out.rejects.push({ symbol, reason: 'malformed', detail: 'funding row' });
    } else {
      out.funding.push({ symbol, time, rate, intervalHours: INTERVAL });
    }
  });
  return out;
}

function takeBook(
  out: Decoded,
  data: unknown,
  context: DecodeContext,
  kind: 'snapshot' | 'delta',
  ts: unknown,
): void {
  eachOf(data, 's', out, context, (row, symbol, { multiplier }) => {
    const bids = readLevels(row.b, multiplier);
    const asks = readLevels(row.a, multiplier);
    if (bids === undefined || asks === undefined) {
      out.rejects.push({ symbol, reason: 'malformed', detail: 'levels' });
      return;
    }
    const sequence = readNumber(row.u);
    const time = readMs(ts, MICROSECONDS);
    out.books.push({
      symbol,
      kind,
      // A snapshot arrives with its worst bid first.
      bids: kind === 'snapshot' ? bids.sort((x, y) => y[0] - x[0]) : bids,
      asks: kind === 'snapshot' ? asks.sort((x, y) => x[0] - y[0]) : asks,
      ...(sequence === undefined
        ? {}
        : { sequence, ...(kind === 'delta' ? { previousSequence: sequence - 1 } : {}) }),
      ...(time === undefined ? {} : { venueTime: time }),
    });
  });
}

/** `/v3/depth?symbol=`. */
export function decodeDepth(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  takeBook(out, data, context, 'snapshot', undefined);
  return out;
}

function readFrame(payload: unknown, context: DecodeContext, withRate: boolean): Decoded {
  const out = emptyDecoded();
  const frame = isWire(payload) ? payload : {};
  const topic = readText(frame.topic);
  if (topic === undefined) {
    if (frame.op === undefined && frame.success === undefined) {
      out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no topic' });
    } else if (frame.success === false) {
      out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(undefined, frame.ret_msg) });
    }
  } else if (topic.startsWith('orderBook')) {
    takeBook(out, frame.data, context, frame.type === 'delta' ? 'delta' : 'snapshot', frame.ts);
  } else if (topic === 'instrumentInfo.all') {
    eachOf(frame.data, 's', out, context, (row, symbol, units) =>
      takeShort(out, row, symbol, units, withRate),
    );
  } else if (topic.startsWith('instrumentInfo')) {
    eachOf(frame.data, 'symbol', out, context, (row, symbol, units) => {
      takeTicker(out, row, symbol, units, context);
    });
  }
  return out;
}

/** Frames by topic; book frames number by one (`u`), `ts` is microseconds. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  return readFrame(payload, context, true);
}

/**
 * `instrumentInfo.all` as it is followed live: its rate is the one last published, the ticker call's is the one
 * next charged, and a row must not waver between the two.
 */
export function decodeAllWithoutRate(payload: unknown, context: DecodeContext): Decoded {
  return readFrame(payload, context, false);
}
