import type { Decoded } from '../../domain/decoded.ts';
import type { AssetClass, Instrument } from '../../domain/instrument.ts';
import { isWire, readHours, readText, type Wire } from '../../domain/read.ts';
import type { Reject, RejectReason } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import type { VenueRequest } from '../adapter.ts';
import { readInstruments } from '../instrument-rows.ts';
import { listOf, openEnvelope, unexpected } from './envelope.ts';

const TYPES: ReadonlyMap<string, RejectReason> = new Map([
  ['LinearFutures', 'dated'],
  ['InversePerpetual', 'inverse'],
  ['InverseFutures', 'inverse'],
]);

const STATUSES: ReadonlyMap<string, RejectReason> = new Map([
  ['PreLaunch', 'prelisting'],
  ['Settling', 'delisted'],
  ['Delivering', 'delisted'],
  ['Closed', 'delisted'],
]);

const CLASSES: ReadonlyMap<string, AssetClass> = new Map([
  ['innovation', 'crypto'],
  ['stock', 'equity'],
  ['ETF', 'etf'],
  ['commodity', 'commodity'],
  ['forex', 'fx'],
]);

const SETTLES = new Set(['USDT', 'USDC']);

/** `instruments-info`: one page of the linear contracts. */
export function decodeInstruments(payload: unknown): Decoded {
  const opened = openEnvelope(payload);
  if ('failed' in opened) return opened.failed;
  const rows = listOf(opened.result);
  if (rows === undefined) return unexpected();
  return readInstruments(rows, readInstrument);
}

function readInstrument(row: unknown): Instrument | Reject {
  if (!isWire(row)) return { symbol: null, reason: 'malformed', detail: 'row' };
  const symbol = readText(row.symbol);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: 'symbol' };
  const reason = outOfScopeReason(row);
  if (reason !== undefined) return { symbol, reason };
  const base = readText(row.baseCoin);
  const quote = readText(row.quoteCoin);
  const settle = readText(row.settleCoin);
  if (base === undefined) return { symbol, reason: 'missing_field', detail: 'baseCoin' };
  if (quote === undefined) return { symbol, reason: 'missing_field', detail: 'quoteCoin' };
  if (settle === undefined) return { symbol, reason: 'missing_field', detail: 'settleCoin' };
  if (!SETTLES.has(settle)) return { symbol, reason: 'foreign_quote', detail: settle };
  const minutes = readHours(row.fundingInterval, 1 / 60);
  const assetClass = assetClassOf(row);
  return {
    venue: 'bybit',
    symbol,
    base,
    ...baseName(base),
    contractSize: 1,
    quote,
    settle,
    ...(minutes === undefined ? {} : { fundingIntervalHours: minutes }),
    ...(assetClass === undefined ? {} : { assetClass }),
  };
}

function outOfScopeReason(row: Wire): RejectReason | undefined {
  const type = readText(row.contractType);
  if (type === undefined) return 'spot';
  if (type !== 'LinearPerpetual') return TYPES.get(type) ?? 'not_trading';
  const status = readText(row.status);
  if (status === 'Trading') return undefined;
  return (status === undefined ? undefined : STATUSES.get(status)) ?? 'not_trading';
}

/** `symbolType` names shares, funds, commodities and currencies; coins leave it empty, new ones are `innovation`. */
function assetClassOf(row: Wire): AssetClass | undefined {
  if (row.isPreListing === true) return 'prelaunch';
  const type = readText(row.symbolType);
  return type === undefined ? undefined : CLASSES.get(type);
}

/** The next page of the list; there are more contracts than the largest page holds. */
export function nextInstrumentPage(payload: unknown, request: VenueRequest): VenueRequest | undefined {
  const opened = openEnvelope(payload);
  if ('failed' in opened) return undefined;
  const cursor = readText(opened.result.nextPageCursor);
  if (cursor === undefined) return undefined;
  const [path = '', query = ''] = request.path.split('?', 2);
  const next = new URLSearchParams(query);
  if (next.get('cursor') === cursor) return undefined;
  next.set('cursor', cursor);
  return { ...request, path: `${path}?${next.toString()}` };
}
