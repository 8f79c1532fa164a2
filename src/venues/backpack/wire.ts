import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readHours, readMs, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import type { ContractUnits } from '../contract-units.ts';
import { rejectEmpty } from '../empty-rows.ts';
import { fieldFault } from '../field-fault.ts';
import { keepPatch, need } from '../quote-field.ts';
import { eachContract, eachRow } from '../rows.ts';
import { PUBLISHED } from './published.ts';
import { baseOf, contracts, unlessError } from './rows.ts';

/** `rwaMarketType`; absent or null on coins. */
const CLASSES: Readonly<Record<string, AssetClass>> = {
  STOCK: 'equity',
  INDEX: 'index',
  COMMODITY: 'commodity',
  FX: 'fx',
};

const KINDS: Readonly<Record<string, OutOfScopeReason>> = { SPOT: 'spot', IPERP: 'inverse', DATED: 'dated' };

/** `GET /markets?marketType=PERP` and `/market`: open and visible perpetuals. */
export function decodeMarkets(payload: unknown): Decoded {
  const out = emptyDecoded();
  const rows = unlessError(payload, out);
  if (out.rejects.length > 0) return out;
  rejectEmpty(rows, out);
  eachRow(rows, 'symbol', out, (row, symbol) => listMarket(out, row, symbol));
  return out;
}

function outOfScope(row: Wire): OutOfScopeReason | undefined {
  if (row.marketType !== 'PERP') return KINDS[String(row.marketType)] ?? 'not_listed';
  if (row.quoteSymbol !== 'USDC') return 'foreign_quote';
  if (row.orderBookState === 'Closed') return 'delisted';
  if (row.orderBookState !== 'Open') return 'not_trading';
  return row.visible === false ? 'not_listed' : undefined;
}

function assetClassOf(row: Wire, symbol: string): AssetClass | undefined {
  const type = readText(row.rwaMarketType);
  if (type !== undefined) return CLASSES[type];
  return symbol.includes('.US_') ? 'equity' : 'crypto';
}

function listMarket(out: Decoded, row: Wire, symbol: string): void {
  const base = readText(row.baseSymbol)?.replace(/\.US$/, '') ?? baseOf(symbol);
  const reason = outOfScope(row);
  if (reason !== undefined || base === undefined) {
    out.rejects.push({ symbol, reason: reason ?? 'not_listed' });
    return;
  }
  const hours = readHours(row.fundingInterval, 1 / HOUR_MS);
  if (hours === undefined) out.rejects.push(fieldFault(symbol, 'fundingInterval', row.fundingInterval));
  const assetClass = assetClassOf(row, symbol);
  out.instruments.push({
    venue: 'backpack',
    symbol,
    base,
    ...baseName(base),
    contractSize: 1,
    quote: 'USDC',
    settle: 'USDC',
    ...(assetClass === undefined ? {} : { assetClass }),
    ...(hours === undefined ? {} : { fundingIntervalHours: hours }),
  });
}

/** Mark, index, the running estimate of the rate and the next settlement, however a call names them. */
export function putPrices(
  q: QuotePatch,
  { mark, index, rate, next }: Readonly<Record<'mark' | 'index' | 'rate' | 'next', unknown>>,
  multiplier: number,
  rejects: Reject[],
): void {
  need(q, 'fundingRate', readRate(rate), rate, rejects);
  need(q, 'nextFundingTime', readMs(next), next, rejects);
  need(q, 'markPrice', readPrice(mark, multiplier), mark, rejects);
  need(q, 'indexPrice', readPrice(index, multiplier), index, rejects);
}

/** `GET /markPrices`: rows carry no stamp. */
export function decodeMarkPrices(payload: unknown, context: DecodeContext): Decoded {
  return eachOf(payload, context, (q, row, { multiplier }, rejects) => {
    const { markPrice: mark, indexPrice: index, fundingRate: rate, nextFundingTimestamp: next } = row;
    putPrices(q, { mark, index, rate, next }, multiplier, rejects);
  });
}

/** `GET /openInterest`: base units as named, long plus short; prediction contracts stand among the rows. */
export function decodeOpenInterest(payload: unknown, context: DecodeContext): Decoded {
  return eachOf(payload, context, (q, row, units, rejects) => {
    putOpenInterest(q, PUBLISHED.openInterest, { base: row.openInterest }, units, rejects);
  });
}

/** `GET /tickers` and `/ticker`: 24 h volumes, of spot pairs too. */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  return eachOf(payload, context, (q, row, units, rejects) => {
    const traded = { base: row.volume, quote: row.quoteVolume };
    putVolume(q, PUBLISHED.volume, traded, units, rejects);
  });
}

function eachOf(
  payload: unknown,
  context: DecodeContext,
  fill: (q: QuotePatch, row: Wire, units: ContractUnits, rejects: Reject[]) => void,
): Decoded {
  const out = emptyDecoded();
  const rows = unlessError(payload, out);
  if (out.rejects.length > 0) return out;
  rejectEmpty(rows, out);
  eachContract(rows, 'symbol', out, context, contracts, (row, symbol, units) => {
    const q: QuotePatch = { symbol };
    fill(q, row, units, out.rejects);
    keepPatch(q, out.quotes, out.rejects);
  });
  return out;
}
