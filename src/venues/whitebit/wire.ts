import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
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
import { ownTakerFee } from '../contract-fee.ts';
import { type ContractUnits, contractUnitsOf } from '../contract-units.ts';
import { rejectEmpty } from '../empty-rows.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { eachContract, eachRow } from '../rows.ts';
import { PUBLISHED } from './published.ts';
import { baseOf, bodyOf, contracts, MINUTES } from './rows.ts';

export const TAKER_FEE_BPS = 5.5;

/** Row of `/futures`. Numbers are text; what is not known is blank, or "0" for the index. */
interface WhitebitFuture {
  readonly product_type?: unknown;
  readonly money_currency?: unknown;
  readonly funding_rate?: unknown;
  /** Absent in rows of before 2026. */
  readonly funding_interval_minutes?: unknown;
  readonly next_funding_rate_timestamp?: unknown;
  /** Absent in rows of before August 2026. */
  readonly mark_price?: unknown;
  readonly index_price?: unknown;
  readonly bid?: unknown;
  readonly ask?: unknown;
  readonly open_interest?: unknown;
  readonly stock_volume?: unknown;
  readonly money_volume?: unknown;
}

function instrument(symbol: string, base: string): Instrument {
  const currency = { quote: 'USDT', settle: 'USDT' } as const;
  return { venue: 'whitebit', symbol, base, ...baseName(base), contractSize: 1, ...currency };
}

/** `PERP` in the place of a currency stands for USDT. */
function isUsdt(money: unknown): boolean {
  return money === undefined || money === 'USDT' || money === 'PERP';
}

/** `GET /markets`: all pairs; `takerFee` is in percent. */
export function decodeMarkets(payload: unknown): Decoded {
  const out = emptyDecoded();
  const rows = bodyOf(payload, out);
  if (out.rejects.length > 0) return out;
  rejectEmpty(rows, out);
  eachRow(rows, 'name', out, (row, symbol) => {
    const base = baseOf(symbol);
    const reason = outOfScopeMarket(row);
    if (reason !== undefined || base === undefined) {
      out.rejects.push({ symbol, reason: reason ?? 'spot' });
      return;
    }
    const fee = readNumber(row.takerFee);
    // TradFi contracts are shares, indices and metals alike: no coin, and no more is said.
    const crypto = row.type === 'futures' && row.isTradFiFutures !== true;
    out.instruments.push({
      ...instrument(symbol, readText(row.stock) ?? base),
      assetClass: crypto ? 'crypto' : 'unknown',
      ...ownTakerFee(fee === undefined ? undefined : fee / 100, TAKER_FEE_BPS),
    });
  });
  return out;
}

function outOfScopeMarket(row: Wire): OutOfScopeReason | undefined {
  if (row.type !== 'futures' && row.type !== 'tradfiFutures') return 'spot';
  if (!isUsdt(row.money)) return 'foreign_quote';
  return row.tradesEnabled === false ? 'not_trading' : undefined;
}

/** `GET /futures`: every perpetual with all its metrics; with contracts known only theirs are kept. */
export function decodeFutures(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = bodyOf(payload, out);
  if (out.rejects.length > 0) return out;
  rejectEmpty(rows, out);
  eachRow(rows, 'ticker_id', out, (row, symbol) => {
    const base = baseOf(symbol);
    const reason = base === undefined ? 'spot' : outOfScopeFuture(row);
    if (base === undefined || reason !== undefined) {
      out.rejects.push({ symbol, reason: reason ?? 'spot' });
      return;
    }
    listFuture(out, row, symbol, base);
    const units = contractUnitsOf(context, symbol, contracts.parseSymbol, 1);
    if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
    else takeFuture(out, row, symbol, units);
  });
  return out;
}

function outOfScopeFuture({ product_type, money_currency }: WhitebitFuture): OutOfScopeReason | undefined {
  if (!isUsdt(money_currency)) return 'foreign_quote';
  return product_type === undefined || product_type === 'Perpetual' ? undefined : 'dated';
}

function listFuture(out: Decoded, row: WhitebitFuture, symbol: string, base: string): void {
  const hours = readHours(row.funding_interval_minutes, MINUTES);
  const interval = hours === undefined ? {} : { fundingIntervalHours: hours };
  out.instruments.push({ ...instrument(symbol, base), ...interval });
}

function takeFuture(out: Decoded, row: WhitebitFuture, symbol: string, units: ContractUnits): void {
  const { multiplier } = units;
  const { rejects } = out;
  const q: QuotePatch = { symbol };
  need(q, 'fundingRate', readRate(row.funding_rate), row.funding_rate, rejects);
  const minutes = row.funding_interval_minutes;
  put(q, 'fundingIntervalHours', readHours(minutes, MINUTES), minutes, rejects);
  const next = row.next_funding_rate_timestamp;
  put(q, 'nextFundingTime', readMs(next), next, rejects);
  put(q, 'markPrice', readPrice(row.mark_price, multiplier), row.mark_price, rejects);
  put(q, 'indexPrice', readPrice(row.index_price, multiplier), row.index_price, rejects);
  put(q, 'bestBid', readPrice(row.bid, multiplier), row.bid, rejects);
  put(q, 'bestAsk', readPrice(row.ask, multiplier), row.ask, rejects);
  putOpenInterest(q, PUBLISHED.openInterest, { base: row.open_interest }, units, rejects);
  const traded = { base: row.stock_volume, quote: row.money_volume };
  putVolume(q, PUBLISHED.volume, traded, units, rejects);
  keepPatch(q, out.quotes, rejects);
}

/** `GET /ticker`: 24 h volumes of all pairs, keyed by their names. */
export function decodeTicker(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const body = bodyOf(payload, out);
  if (out.rejects.length > 0) return out;
  const pairs = isWire(body) ? Object.entries(body) : [];
  const rows = pairs.flatMap(([name, row]) => (isWire(row) ? [{ ...row, name }] : []));
  rejectEmpty(rows, out);
  eachContract(rows, 'name', out, context, contracts, (row, symbol, units) => {
    const q: QuotePatch = { symbol };
    const traded = { base: row.base_volume, quote: row.quote_volume };
    putVolume(q, PUBLISHED.volume, traded, units, out.rejects);
    keepPatch(q, out.quotes, out.rejects);
  });
  return out;
}
