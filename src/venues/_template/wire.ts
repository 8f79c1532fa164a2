import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import {
  isWire,
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
import { addBook, bookStamps } from '../book-message.ts';
import { ownTakerFee } from '../contract-fee.ts';
import { readOneContract } from '../contract-rows.ts';
import { baseOfParsed, type ContractUnits, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';
import { rejectEmpty } from '../empty-rows.ts';
import { errorText } from '../error-text.ts';
import { fieldFault } from '../field-fault.ts';
import { addFundingPoint } from '../history-points.ts';
import { readLevels } from '../levels.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { requestParam } from '../request-param.ts';
import { type Contracts, eachContract, eachRow } from '../rows.ts';
import { PUBLISHED } from './published.ts';

export const TAKER_FEE_BPS = 5;
const PER_MINUTE = 1 / 60;

/** `BTC-USDT-PERP` is ours; `BTC-USDT-251226` is dated, `BTC-USD-PERP` inverse. */
function parseSymbol(symbol: string): ParsedSymbol {
  const base = /^(.+)-USDT-PERP$/.exec(symbol)?.[1];
  if (base !== undefined) return { base };
  return symbol.endsWith('-USD-PERP') ? 'inverse' : 'dated';
}

/** Sizes count contracts: how many units one has, only the list of contracts tells. */
const contracts: Contracts = { parseSymbol };
const unitsOf = (context: DecodeContext, symbol: string) => contractUnitsOf(context, symbol, parseSymbol);

/** The base as the venue names it: `1000PEPE` of `1000PEPE-USDT-PERP`. */
export function baseOf(symbol: string): string | undefined {
  return baseOfParsed(parseSymbol(symbol));
}

/** `data` of an answer; an error, also inside HTTP 200, or another shape becomes a reject. */
function dataOf(payload: unknown, out: Decoded): unknown {
  if (isWire(payload) && payload.code === 0 && payload.data !== undefined) return payload.data;
  const isError = isWire(payload) && payload.code !== undefined && payload.code !== 0;
  out.rejects.push({
    symbol: null,
    reason: isError ? 'error_body' : 'unexpected_shape',
    ...(isError ? { detail: errorText(payload.code, payload.message) } : {}),
  });
  return undefined;
}

const DEAD: Readonly<Record<string, OutOfScopeReason>> = { delisted: 'delisted', announced: 'prelisting' };

/** Why a row of the list is left out: by the venue's own type and status, never by its values. */
function outOfScope(row: Wire, symbol: string): OutOfScopeReason | undefined {
  const parsed = parseSymbol(symbol);
  if (typeof parsed === 'string') return parsed;
  if (row.type !== 'perpetual') return 'dated';
  if (row.settle !== 'USDT') return 'foreign_quote';
  return row.status === 'trading' ? undefined : (DEAD[String(row.status)] ?? 'not_trading');
}

/** `GET /api/instruments`: all contracts of all kinds; the interval is in minutes, the fee a fraction. */
export function decodeInstruments(payload: unknown): Decoded {
  const out = emptyDecoded();
  const rows = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  rejectEmpty(rows, out);
  eachRow(rows, 'symbol', out, (row, symbol) => {
    const reason = outOfScope(row, symbol);
    const base = baseOf(symbol);
    if (reason !== undefined || base === undefined) {
      out.rejects.push({ symbol, reason: reason ?? 'not_listed' });
      return;
    }
    // Without its size nothing that counts contracts has a unit.
    const contractSize = readNumber(row.contractSize);
    if (contractSize === undefined || !(contractSize > 0 && contractSize < 1e12)) {
      out.rejects.push(fieldFault(symbol, 'contractSize', row.contractSize));
      return;
    }
    const hours = readHours(row.fundingIntervalMinutes, PER_MINUTE);
    out.instruments.push({
      venue: 'template',
      symbol,
      base,
      ...baseName(base),
      contractSize,
      quote: 'USDT',
      settle: 'USDT',
      ...(hours === undefined ? {} : { fundingIntervalHours: hours }),
      ...ownTakerFee(row.takerFee, TAKER_FEE_BPS),
    });
  });
  return out;
}

/** `GET /api/tickers`: every metric of every contract that trades; amounts count contracts. */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  rejectEmpty(rows, out);
  eachContract(rows, 'symbol', out, context, contracts, (row, symbol, units) => {
    takeTicker(row, symbol, units, out);
  });
  return out;
}

function takeTicker(row: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const { multiplier } = units;
  const { rejects } = out;
  const q: QuotePatch = { symbol };
  need(q, 'fundingRate', readRate(row.fundingRate), row.fundingRate, rejects);
  put(q, 'nextFundingTime', readMs(row.nextFundingTime), row.nextFundingTime, rejects);
  need(q, 'markPrice', readPrice(row.markPrice, multiplier), row.markPrice, rejects);
  put(q, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, rejects);
  put(q, 'bestBid', readPrice(row.bid, multiplier), row.bid, rejects);
  put(q, 'bestAsk', readPrice(row.ask, multiplier), row.ask, rejects);
  putOpenInterest(q, PUBLISHED.openInterest, { contracts: row.openInterest }, units, rejects);
  const traded = { contracts: row.volume, quote: row.turnover };
  putVolume(q, PUBLISHED.volume, traded, units, rejects);
  keepPatch(q, out.quotes, rejects);
}

/** `GET /api/funding-history?symbol=`: settled rates; the answer does not repeat the symbol. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  readOneContract(requestParam(context.request, 'symbol'), unitsOf, context, out, (symbol) => {
    eachRow(rows, 'time', out, (row) => addFundingPoint(out, symbol, row.time, row.rate));
  });
  return out;
}

/** `GET /api/book?symbol=`: the snapshot; sizes count contracts. */
export function decodeBook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const book = dataOf(payload, out);
  if (!isWire(book)) {
    if (book !== undefined) out.rejects.push({ symbol: null, reason: 'unexpected_shape' });
    return out;
  }
  readOneContract(readText(book.symbol), unitsOf, context, out, (symbol, units) => {
    const { multiplier, perContract = multiplier } = units;
    const bids = readLevels(book.bids, multiplier, perContract);
    const asks = readLevels(book.asks, multiplier, perContract);
    const stamps = bookStamps(book.sequence, undefined, book.time);
    addBook(out, symbol, 'snapshot', units, { bids, asks }, stamps);
  });
  return out;
}
