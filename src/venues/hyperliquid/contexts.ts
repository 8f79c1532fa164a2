import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readNumber, readPrice, readRate, readText, wireArray } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { fieldFault } from '../field-fault.ts';
import { nextHour } from '../hour.ts';
import { multiplierOf } from './listing.ts';
import { PUBLISHED } from './published.ts';
import { HOURLY, readUniverse } from './universe.ts';
import { type DexName, errorBody, type WireAssetContext } from './wire.ts';

/** Metrics of one asset; undefined when the row says nothing readable. Unreadable fields become rejects. */
function readContext(
  symbol: string,
  row: unknown,
  multiplier: number,
  next: UnixMs | undefined,
  rejects: Reject[],
): QuotePatch | undefined {
  if (!isWire(row)) {
    rejects.push({ symbol, reason: 'malformed', detail: 'context' });
    return undefined;
  }
  const wire: WireAssetContext = row;
  const quote: QuotePatch = { symbol };
  const rate = readRate(wire.funding);
  if (rate !== undefined) quote.fundingRate = rate;
  else rejects.push(fieldFault(symbol, 'funding', wire.funding));
  quote.fundingIntervalHours = HOURLY;
  if (next !== undefined) quote.nextFundingTime = next;
  const mark = readPrice(wire.markPx, multiplier);
  if (mark !== undefined) quote.markPrice = mark;
  else rejects.push(fieldFault(symbol, 'markPx', wire.markPx));
  const index = readPrice(wire.oraclePx, multiplier);
  if (index !== undefined) quote.indexPrice = index;
  else rejects.push(fieldFault(symbol, 'oraclePx', wire.oraclePx));
  readAmounts(quote, wire, multiplier, rejects);
  const says =
    rate !== undefined ||
    mark !== undefined ||
    quote.openInterestBase !== undefined ||
    quote.volume24hUsd !== undefined;
  return says ? quote : undefined;
}

function readAmounts(quote: QuotePatch, wire: WireAssetContext, multiplier: number, rejects: Reject[]): void {
  const units = { multiplier, perContract: multiplier };
  putOpenInterest(quote, PUBLISHED.openInterest, { base: wire.openInterest }, units, rejects, 'required');
  const traded = { quote: wire.dayNtlVlm, base: wire.dayBaseVlm };
  putVolume(quote, PUBLISHED.volume, traded, units, rejects, 'required');
}

/**
 * `metaAndAssetCtxs`: `[meta, contexts]`, joined by position. Where the two lists differ in length no row can be
 * trusted and all of them are left out as `position_mismatch`.
 */
export function decodeMetaAndContexts(payload: unknown, context: DecodeContext, dex: DexName): Decoded {
  const decoded = emptyDecoded();
  const error = errorBody(payload);
  if (error !== undefined) {
    decoded.rejects.push(error);
    return decoded;
  }
  const [meta, rows] = wireArray(payload) ?? [];
  const listed = isWire(meta) ? readUniverse(meta, dex, decoded) : undefined;
  const contexts = wireArray(rows);
  if (listed === undefined || contexts === undefined) {
    decoded.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: '[meta, contexts]' });
    return decoded;
  }
  if (listed.length !== contexts.length) {
    const detail = `${listed.length} assets, ${contexts.length} contexts`;
    decoded.rejects.push({ symbol: null, reason: 'position_mismatch', detail });
    return decoded;
  }
  const known = context.instruments;
  const next = nextHour(context.receivedAt);
  listed.forEach((instrument, position) => {
    if (instrument === undefined) return;
    if (known.size > 0 && !known.has(instrument.symbol)) {
      decoded.rejects.push({ symbol: instrument.symbol, reason: 'not_listed' });
      return;
    }
    const { symbol, multiplier } = instrument;
    const quote = readContext(symbol, contexts[position], multiplier, next, decoded.rejects);
    if (quote !== undefined) decoded.quotes.push(quote);
  });
  return decoded;
}

/** `activeAssetCtx`: one coin's metrics, the only context payload that names its coin. */
export function decodeActiveContext(data: unknown, context: DecodeContext, dex: DexName): Decoded {
  const decoded = emptyDecoded();
  const coin = isWire(data) ? readText(data.coin) : undefined;
  if (!isWire(data) || coin === undefined) {
    decoded.rejects.push({ symbol: null, reason: 'malformed', detail: 'coin' });
    return decoded;
  }
  const multiplier = multiplierOf(coin, context, dex);
  if (typeof multiplier !== 'number') {
    decoded.rejects.push(multiplier);
    return decoded;
  }
  const next = nextHour(context.receivedAt);
  const quote = readContext(coin, data.ctx, multiplier, next, decoded.rejects);
  if (quote !== undefined) decoded.quotes.push(quote);
  return decoded;
}

/**
 * `allDexsAssetCtxs`: `[[dex, contexts], …]` without coin names. Rows are joined to the listed contracts by
 * position; blocks of other dexes are one reject each.
 */
export function decodeAllContexts(data: unknown, context: DecodeContext, dex: DexName): Decoded {
  const decoded = emptyDecoded();
  const blocks = isWire(data) ? wireArray(data.ctxs) : undefined;
  if (blocks === undefined) {
    decoded.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'ctxs' });
    return decoded;
  }
  for (const block of blocks) {
    const [name, rows] = wireArray(block) ?? [];
    const contexts = wireArray(rows);
    if (typeof name !== 'string' || contexts === undefined) {
      decoded.rejects.push({ symbol: null, reason: 'malformed', detail: 'ctxs[].dex' });
    } else if (name !== dex) {
      const detail = `dex ${name === '' ? '(main)' : name.slice(0, 32)}: ${contexts.length} rows`;
      decoded.rejects.push({ symbol: null, reason: 'not_listed', detail });
    } else joinByPosition(contexts, context, dex, decoded);
  }
  return decoded;
}

function joinByPosition(
  rows: readonly unknown[],
  context: DecodeContext,
  dex: DexName,
  decoded: Decoded,
): void {
  const listed = byPosition(context.instruments);
  const mismatch = positionFault(rows, listed);
  if (mismatch !== undefined) {
    const of = dex === '' ? 'main' : dex;
    rows.forEach((_, position) => {
      const detail = `${of}[${position}]: ${mismatch}`;
      decoded.rejects.push({ symbol: null, reason: 'position_mismatch', detail });
    });
    if (rows.length === 0)
      decoded.rejects.push({ symbol: null, reason: 'position_mismatch', detail: mismatch });
    return;
  }
  const next = nextHour(context.receivedAt);
  rows.forEach((row, position) => {
    const instrument = listed.get(position);
    if (instrument === undefined) {
      decoded.rejects.push({ symbol: null, reason: 'delisted', detail: `position ${position}` });
      return;
    }
    const quote = readContext(instrument.symbol, row, instrument.multiplier, next, decoded.rejects);
    if (quote !== undefined) decoded.quotes.push(quote);
  });
}

function byPosition(instruments: ReadonlyMap<string, Instrument>): ReadonlyMap<number, Instrument> {
  const listed = new Map<number, Instrument>();
  for (const instrument of instruments.values()) {
    const position = readNumber(instrument.altId);
    if (position !== undefined) listed.set(position, instrument);
  }
  return listed;
}

/**
 * Why rows without names cannot be joined to these positions; undefined when they can. A delisted asset keeps its
 * place with frozen prices, no mid, no volume and no open interest; so a live contract whose row looks like that,
 * or an unlisted position that trades, shows that the universe has changed since it was read.
 */
function positionFault(
  rows: readonly unknown[],
  listed: ReadonlyMap<number, Instrument>,
): string | undefined {
  if (listed.size === 0) return rows.length === 0 ? undefined : 'universe unknown';
  for (const [position, { symbol }] of listed) {
    if (position >= rows.length) return `${symbol} is at ${position} of ${rows.length} rows`;
    if (looksDead(rows[position])) return `${symbol} looks delisted`;
  }
  const unlisted = rows.findIndex((row, position) => !listed.has(position) && !looksDead(row));
  return unlisted === -1 ? undefined : `unknown contract at ${unlisted}`;
}

function looksDead(row: unknown): boolean {
  if (!isWire(row)) return false;
  const wire: WireAssetContext = row;
  const idle = (x: unknown): boolean => readNumber(x) === 0;
  return (wire.midPx ?? null) === null && idle(wire.openInterest) && idle(wire.dayNtlVlm);
}
