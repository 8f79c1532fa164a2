import type { Decoded } from '../../domain/decoded.ts';
import type { AssetClass, Instrument } from '../../domain/instrument.ts';
import { isWire, readNumber, readText, type Wire } from '../../domain/read.ts';
import type { Reject, RejectReason } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { readInstruments } from '../instrument-rows.ts';
import { openEnvelope } from './envelope.ts';

const TYPES: ReadonlyMap<string, RejectReason> = new Map([
  ['FUTURES', 'dated'],
  ['OPTION', 'option'],
  ['SPOT', 'spot'],
  ['MARGIN', 'spot'],
]);

const STATES: ReadonlyMap<string, RejectReason> = new Map([
  ['preopen', 'prelisting'],
  ['expired', 'delisted'],
  ['settling', 'delisted'],
]);

const CLASSES: ReadonlyMap<string, AssetClass> = new Map([
  ['1', 'crypto'],
  ['3', 'equity'],
  ['4', 'commodity'],
  ['5', 'fx'],
]);

const SETTLES = new Set(['USDT', 'USDC']);

/** `public/instruments`: every live linear swap; all other rows are rejects. */
export function decodeInstruments(payload: unknown): Decoded {
  const opened = openEnvelope(payload);
  if ('failed' in opened) return opened.failed;
  return readInstruments(opened.rows, readInstrument);
}

function readInstrument(row: unknown): Instrument | Reject {
  if (!isWire(row)) return { symbol: null, reason: 'malformed', detail: 'row' };
  const symbol = readText(row.instId);
  if (symbol === undefined) return namelessRow(row);
  const reason = outOfScopeReason(row);
  if (reason !== undefined) return { symbol, reason };
  const settle = readText(row.settleCcy);
  if (settle === undefined) return { symbol, reason: 'missing_field', detail: 'settleCcy' };
  if (!SETTLES.has(settle)) return { symbol, reason: 'foreign_quote', detail: settle };
  const indexId = readText(row.uly) ?? readText(row.instFamily);
  if (indexId === undefined) return { symbol, reason: 'missing_field', detail: 'uly' };
  const [base, quote] = indexId.split('-', 2);
  if (!base || !quote) return { symbol, reason: 'malformed', detail: 'uly' };
  const contractSize = contractSizeOf(row, base);
  if (contractSize === undefined) return { symbol, reason: 'unknown_unit', detail: 'ctVal ctMult ctValCcy' };
  const assetClass = assetClassOf(row);
  return {
    venue: 'okx',
    symbol,
    base,
    ...baseName(base),
    contractSize,
    quote,
    settle,
    indexId,
    ...(assetClass === undefined ? {} : { assetClass }),
  };
}

/** Some contracts that are not open yet have not even a name. */
function namelessRow(row: Wire): Reject {
  if (row.state === 'preopen') return { symbol: null, reason: 'placeholder' };
  return { symbol: null, reason: 'missing_field', detail: 'instId' };
}

/** One contract is `ctVal` x `ctMult` units of `ctValCcy`, which for linear swaps is the base coin. */
function contractSizeOf(row: Wire, base: string): number | undefined {
  const value = readNumber(row.ctVal);
  const multiplier = readNumber(row.ctMult);
  if (value === undefined || multiplier === undefined || row.ctValCcy !== base) return undefined;
  const size = value * multiplier;
  return size > 0 && Number.isFinite(size) ? size : undefined;
}

/** Rows of contracts that are not open yet have nearly all fields empty, so the state is read first. */
function outOfScopeReason(row: Wire): RejectReason | undefined {
  const type = readText(row.instType);
  if (type === undefined) return 'missing_field';
  if (type !== 'SWAP') return TYPES.get(type) ?? 'not_trading';
  const state = readText(row.state);
  if (state !== 'live') return (state === undefined ? undefined : STATES.get(state)) ?? 'not_trading';
  const kind = readText(row.ctType);
  if (kind === undefined) return 'missing_field';
  return kind === 'linear' ? undefined : 'inverse';
}

function assetClassOf(row: Wire): AssetClass | undefined {
  if (row.ruleType === 'pre_market') return 'prelaunch';
  const category = readText(row.instCategory);
  return category === undefined ? undefined : CLASSES.get(category);
}
