import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readNumber, readPrice, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { asHours } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { type ContractUnits, unitsPerContract } from '../contract-units.ts';
import { rejectEmpty } from '../empty-rows.ts';
import { fieldFault } from '../field-fault.ts';
import { keepPatch, put } from '../quote-field.ts';
import { eachContract, eachRow } from '../rows.ts';
import { PUBLISHED } from './published.ts';
import { baseOf, contracts, dataOf, resultOf } from './rows.ts';

/** Every perpetual settles at each full hour. */
export const INTERVAL = asHours(1);

const CLASSES: Readonly<Record<string, AssetClass>> = {
  DIGITAL_CURRENCIES: 'crypto',
  EQUITY: 'equity',
  EQUITY_IND: 'index',
  COMMODITIES: 'commodity',
  PRE_IPO: 'prelaunch',
};

/** Kinds of instrument that are no perpetual. */
const KINDS: Readonly<Record<string, OutOfScopeReason>> = {
  CCY_PAIR: 'spot',
  FUTURE: 'dated',
  WARRANT: 'option',
};

/** Row of `get-tickers` and of the `ticker` channel. */
interface CryptocomTicker {
  /** Best bid and ask, null at times. */
  readonly b?: unknown;
  readonly k?: unknown;
  /** Base units. */
  readonly v?: unknown;
  /** USD. */
  readonly vv?: unknown;
  /** Base units. */
  readonly oi?: unknown;
}

/** `get-instruments`: all kinds in one list; perpetuals are those of `inst_type` PERPETUAL_SWAP, whatever the expiry says. */
export function decodeInstruments(payload: unknown): Decoded {
  const out = emptyDecoded();
  const rows = dataOf(resultOf(payload, out));
  if (out.rejects.length > 0) return out;
  rejectEmpty(rows, out);
  eachRow(rows, 'symbol', out, (row, symbol) => listInstrument(out, row, symbol));
  return out;
}

function outOfScope(row: Wire): OutOfScopeReason | undefined {
  if (row.inst_type !== 'PERPETUAL_SWAP') return KINDS[String(row.inst_type)] ?? 'not_listed';
  if (row.tradable !== true) return 'not_trading';
  return row.quote_ccy === 'USD' ? undefined : 'foreign_quote';
}

function listInstrument(out: Decoded, row: Wire, symbol: string): void {
  const reason = outOfScope(row);
  if (reason !== undefined) {
    out.rejects.push({ symbol, reason });
    return;
  }
  const base = readText(row.base_ccy) ?? baseOf(symbol);
  const size = readNumber(row.contract_size);
  if (base === undefined || size === undefined || !(size > 0)) {
    const detail = base === undefined ? 'base_ccy' : 'contract_size';
    out.rejects.push({ symbol, reason: 'missing_field', detail });
    return;
  }
  const assetClass = CLASSES[String(row.product_type)];
  const indexId = readText(row.underlying_symbol);
  out.instruments.push({
    venue: 'cryptocom',
    symbol,
    base,
    ...baseName(base),
    contractSize: size,
    quote: 'USD',
    settle: 'USD',
    ...(assetClass === undefined ? {} : { assetClass }),
    fundingIntervalHours: INTERVAL,
    ...(indexId === undefined ? {} : { indexId }),
  });
}

/** One ticker. Its stamp says when it was made, not when the values were true: not read. */
export function takeTicker(wire: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const row: CryptocomTicker = wire;
  const { rejects } = out;
  const q: QuotePatch = { symbol };
  put(q, 'bestBid', readPrice(row.b, units.multiplier), row.b, rejects);
  put(q, 'bestAsk', readPrice(row.k, units.multiplier), row.k, rejects);
  const amounts = unitsPerContract(units);
  putOpenInterest(q, PUBLISHED.openInterest, { base: row.oi }, amounts, rejects);
  putVolume(q, PUBLISHED.volume, { base: row.v, quote: row.vv }, amounts, rejects);
  if (row.vv === undefined) rejects.push(fieldFault(symbol, 'volume24hUsd', undefined));
  keepPatch(q, out.quotes, rejects);
}

/** `get-tickers`: open interest, volume, bid and ask of all instruments; no mark, index or rate in it. */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = dataOf(resultOf(payload, out));
  if (out.rejects.length > 0) return out;
  rejectEmpty(rows, out);
  eachContract(rows, 'i', out, context, contracts, (row, symbol, units) => {
    takeTicker(row, symbol, units, out);
  });
  return out;
}
