import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import {
  isWire,
  readHours,
  readMs,
  readPrice,
  readRate,
  readText,
  type Wire,
  wireArray,
} from '../../domain/read.ts';
import { baseName } from '../../domain/ticker.ts';
import { asMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { addUnitBook, bookStamps, previousStamp } from '../book-message.ts';
import { type ContractUnits, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { fieldFault } from '../field-fault.ts';
import { keyedLevels } from '../keyed-levels.ts';
import { put } from '../quote-field.ts';
import { readTakerFeeBps } from '../taker-fee.ts';
import { PUBLISHED } from './published.ts';

const MINUTES = 1 / 60;

/** Base of `BTCUSDC`; undefined for a bare contract number. */
export function baseOf(symbol: string): string | undefined {
  return /^(.+)USDC$/.exec(symbol)?.[1] ?? /^(.+)USDT?$/.exec(symbol)?.[1];
}

function parseSymbol(symbol: string): ParsedSymbol {
  // Without a list a contract number can only stand for itself.
  return { base: baseOf(symbol) ?? symbol };
}

/** `data` of an answer, or the bare payload; any code but SUCCESS is an error, also inside HTTP 200. */
function dataOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload) || payload.code === undefined) return payload;
  if (payload.code !== 'SUCCESS') {
    out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(payload.code, payload.msg) });
    return undefined;
  }
  return payload.data;
}

function coinNames(data: Wire): ReadonlyMap<unknown, string> {
  const names = new Map<unknown, string>();
  for (const coin of wireArray(data.coinList) ?? []) {
    const name = isWire(coin) ? readText(coin.coinName) : undefined;
    if (isWire(coin) && name !== undefined) names.set(coin.coinId, name);
  }
  return names;
}

function assetClassOf(row: Wire) {
  if (row.isStock === true) return { assetClass: 'equity' as const };
  return row.isFx === true ? { assetClass: 'fx' as const } : {};
}

/** `meta/getMetaData`: enabled contracts quoted in USDC; the base is named by the coin list. */
export function decodeMetaData(payload: unknown): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  const rows = isWire(data) ? wireArray(data.contractList) : undefined;
  if (!isWire(data) || rows === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no contractList' });
    return out;
  }
  const names = coinNames(data);
  for (const row of rows) {
    if (isWire(row)) listContract(out, row, names);
    else out.rejects.push({ symbol: null, reason: 'malformed', detail: 'contract' });
  }
  return out;
}

function listContract(out: Decoded, row: Wire, names: ReadonlyMap<unknown, string>): void {
  const symbol = readText(row.contractName);
  const altId = readText(row.contractId);
  const base = names.get(row.baseCoinId) ?? (symbol === undefined ? undefined : baseOf(symbol));
  if (symbol === undefined || altId === undefined || base === undefined) {
    out.rejects.push({ symbol: symbol ?? null, reason: 'missing_field', detail: 'name, id or base' });
    return;
  }
  const quote = names.get(row.quoteCoinId) ?? 'USDC';
  if (quote !== 'USDC') {
    out.rejects.push({ symbol, reason: 'foreign_quote', detail: quote });
  } else if (row.enableTrade !== true || row.enableDisplay !== true || row.enableOpenPosition === false) {
    out.rejects.push({ symbol, reason: 'not_trading' });
  } else {
    const hours = readHours(row.fundingRateIntervalMin, MINUTES);
    const takerFeeBps = readTakerFeeBps(row.defaultTakerFeeRate);
    out.instruments.push({
      venue: 'edgex',
      symbol,
      altId,
      base,
      ...baseName(base),
      contractSize: 1,
      quote,
      settle: quote,
      ...assetClassOf(row),
      ...(hours === undefined ? {} : { fundingIntervalHours: hours }),
      ...(takerFeeBps === undefined ? {} : { takerFeeBps }),
    });
  }
}

const byContractId = new WeakMap<DecodeContext['instruments'], ReadonlyMap<string, string>>();

function symbolsById(instruments: DecodeContext['instruments']): ReadonlyMap<string, string> {
  const known = byContractId.get(instruments);
  if (known !== undefined && known.size === instruments.size) return known;
  const made = new Map<string, string>();
  for (const { altId, symbol } of instruments.values()) if (altId !== undefined) made.set(altId, symbol);
  byContractId.set(instruments, made);
  return made;
}

/** Calls `read` for each row of a contract that is listed; rows name it by number, some by name too. */
function eachOf(
  rows: unknown,
  out: Decoded,
  context: DecodeContext,
  read: (row: Wire, symbol: string, units: ContractUnits) => void,
): void {
  const symbols = symbolsById(context.instruments);
  for (const row of wireArray(rows) ?? [rows]) {
    const id = isWire(row) ? readText(row.contractId) : undefined;
    if (!isWire(row) || id === undefined) {
      out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row without contractId' });
      continue;
    }
    const symbol = symbols.get(id) ?? readText(row.contractName) ?? id;
    const units = contractUnitsOf(context, symbol, parseSymbol, 1);
    if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
    else read(row, symbol, units);
  }
}

/**
 * `funding/getLatestFundingRate`: `forecastFundingRate` is what the next settlement will charge; it is empty in the
 * minute of settlement, when `fundingRate` stands in. `fundingTime` is the LAST settlement. `predictedFundingRate`
 * is no prediction (interest over frequency) and is not read.
 */
export function decodeLatestFunding(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachOf(data, out, context, (row, symbol, { multiplier }) => {
    const { rejects } = out;
    const q: QuotePatch = { symbol };
    const rate =
      row.forecastFundingRate === '' ? row.fundingRate : (row.forecastFundingRate ?? row.fundingRate);
    put(q, 'fundingRate', readRate(rate), rate, rejects);
    const hours = readHours(row.fundingRateIntervalMin, MINUTES);
    put(q, 'fundingIntervalHours', hours, row.fundingRateIntervalMin, rejects);
    const settled = readMs(row.fundingTime);
    if (settled !== undefined && hours !== undefined) q.nextFundingTime = asMs(settled + hours * HOUR_MS);
    const mark = row.markPrice ?? row.oraclePrice;
    put(q, 'markPrice', readPrice(mark, multiplier), mark, rejects);
    put(q, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, rejects);
    const time = readMs(row.fundingTimestamp);
    if (time !== undefined) q.venueTime = time;
    if (q.fundingRate !== undefined || q.markPrice !== undefined) out.quotes.push(q);
  });
  return out;
}

/** A ticker of REST or of `ticker.all.1s`; its `fundingRate` is the running forecast. Zero prices: never traded. */
function takeTicker(out: Decoded, row: Wire, symbol: string, units: ContractUnits): void {
  const { multiplier } = units;
  const { rejects } = out;
  const q: QuotePatch = { symbol };
  put(q, 'fundingRate', readRate(row.fundingRate), row.fundingRate, rejects);
  put(q, 'nextFundingTime', readMs(row.nextFundingTime), row.nextFundingTime, rejects);
  const mark = row.markPrice ?? row.oraclePrice;
  put(q, 'markPrice', readPrice(mark, multiplier), mark, rejects);
  put(q, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, rejects);
  put(q, 'bestBid', readPrice(row.bestBidPrice, multiplier), row.bestBidPrice, rejects);
  put(q, 'bestAsk', readPrice(row.bestAskPrice, multiplier), row.bestAskPrice, rejects);
  putOpenInterest(q, PUBLISHED.openInterest, { base: row.openInterest }, units, rejects);
  putVolume(q, PUBLISHED.volume, { base: row.size ?? row.volume, quote: row.value }, units, rejects);
  if (Object.keys(q).length > 1) out.quotes.push(q);
  else rejects.push({ symbol, reason: 'placeholder', detail: 'no price' });
}

/** `quote/getTicker?contractId=`. */
export function decodeTicker(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachOf(data, out, context, (row, symbol, units) => takeTicker(out, row, symbol, units));
  return out;
}

/** `funding/getFundingRatePage` with the settlement filter; per-minute previews among the rows are left out. */
export function decodeFundingPage(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachOf(isWire(data) ? data.dataList : data, out, context, (row, symbol) => {
    if (row.isSettlement === false) return;
    const time = readMs(row.fundingTime);
    const rate = readRate(row.fundingRate);
    const hours = readHours(row.fundingRateIntervalMin, MINUTES);
    if (time === undefined) out.rejects.push(fieldFault(symbol, 'fundingTime', row.fundingTime));
    else if (rate === undefined) out.rejects.push(fieldFault(symbol, 'fundingRate', row.fundingRate));
    else out.funding.push({ symbol, time, rate, ...(hours === undefined ? {} : { intervalHours: hours }) });
  });
  return out;
}

function takeBooks(out: Decoded, data: unknown, context: DecodeContext): void {
  eachOf(data, out, context, (row, symbol, { multiplier }) => {
    const side = (levels: unknown) => keyedLevels(levels, 'price', 'size', multiplier);
    const changed = String(readText(row.depthType)).toUpperCase() === 'CHANGED';
    const stamps = { ...bookStamps(row.endVersion), ...(changed && previousStamp(row.startVersion)) };
    const sides = { bids: side(row.bids), asks: side(row.asks) };
    addUnitBook(out, symbol, changed ? 'delta' : 'snapshot', sides, stamps);
  });
}

/** `quote/getDepth`. */
export function decodeDepth(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (out.rejects.length === 0) takeBooks(out, data, context);
  return out;
}

/** Frames by channel; a change begins with the version at which the one before ended. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame = isWire(payload) ? payload : {};
  const content = frame.content;
  const channel = readText(frame.channel) ?? '';
  if (!isWire(content)) {
    if (frame.type === 'error') {
      out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(frame.code, frame.msg) });
    } else if (readText(frame.type) === undefined) {
      out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no content' });
    }
    return out;
  }
  if (channel.startsWith('depth')) takeBooks(out, content.data, context);
  else if (channel.startsWith('fundingRate')) return decodeLatestFunding(content.data, context);
  else if (channel.startsWith('ticker') || channel.startsWith('bookTicker')) {
    eachOf(content.data, out, context, (row, symbol, units) => takeTicker(out, row, symbol, units));
  }
  return out;
}
