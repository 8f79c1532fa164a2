import type { Decoded } from '../../domain/decoded.ts';
import type { AssetClass, Instrument } from '../../domain/instrument.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import type { Reject, RejectReason } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { readInstruments } from '../instrument-rows.ts';
import type { FapiDialect } from './dialect.ts';
import { rejected } from './rows.ts';

/** `status` of contracts that no longer trade; delisted ones stay in the list for months. */
const ENDED = new Set(['SETTLING', 'PRE_SETTLE', 'DELIVERING', 'DELIVERED', 'PRE_DELIVERING', 'CLOSE']);

/** The venue's own words for what a contract follows; `KR_EQUITY` and `HK_EQUITY` are stocks as well. */
function assetClassOf(underlyingType: string | undefined): AssetClass | undefined {
  if (underlyingType === undefined) return undefined;
  if (underlyingType.endsWith('EQUITY')) return 'equity';
  return CLASSES.get(underlyingType);
}

const CLASSES: ReadonlyMap<string, AssetClass> = new Map([
  ['COIN', 'crypto'],
  ['INDEX', 'index'],
  ['COMMODITY', 'commodity'],
  ['PREMARKET', 'prelaunch'],
]);

/** `exchangeInfo`: every live linear perpetual; all other rows are rejects. */
export function decodeExchangeInfo(payload: unknown, dialect: FapiDialect): Decoded {
  if (!isWire(payload) || !Array.isArray(payload.symbols)) return rejected(payload);
  const rows: readonly unknown[] = payload.symbols;
  return readInstruments(rows, (row) => readInstrument(row, dialect));
}

function readInstrument(row: unknown, dialect: FapiDialect): Instrument | Reject {
  if (!isWire(row)) return { symbol: null, reason: 'malformed', detail: 'row' };
  const symbol = readText(row.symbol);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: 'symbol' };
  const reason = outOfScopeReason(row, dialect);
  if (reason !== undefined) return { symbol, reason };
  const base = readText(row.baseAsset);
  const quote = readText(row.quoteAsset);
  const settle = readText(row.marginAsset);
  if (base === undefined) return { symbol, reason: 'missing_field', detail: 'baseAsset' };
  if (quote === undefined) return { symbol, reason: 'missing_field', detail: 'quoteAsset' };
  if (settle === undefined) return { symbol, reason: 'missing_field', detail: 'marginAsset' };
  if (settle !== quote) return { symbol, reason: settle === base ? 'inverse' : 'quanto' };
  if (!dialect.quotes.includes(quote)) return { symbol, reason: 'foreign_quote', detail: quote };
  const assetClass = assetClassOf(readText(row.underlyingType));
  return {
    venue: dialect.venue,
    symbol,
    base,
    ...baseName(base),
    contractSize: 1,
    quote,
    settle,
    ...(assetClass === undefined ? {} : { assetClass }),
  };
}

function outOfScopeReason(row: Wire, dialect: FapiDialect): RejectReason | undefined {
  const type = readText(row.contractType);
  const status = readText(row.status);
  // A contract that does not trade yet may have no type.
  if (status === 'PENDING_TRADING') return 'prelisting';
  // On hosts that list both, only spot pairs have no contract type.
  if (type === undefined) return 'spot';
  if (!dialect.perpetualTypes.includes(type)) return type.includes('PERPETUAL') ? 'not_trading' : 'dated';
  if (status === 'TRADING') return undefined;
  return status !== undefined && ENDED.has(status) ? 'delisted' : 'not_trading';
}
