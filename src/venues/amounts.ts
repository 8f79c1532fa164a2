import { type PublishedAmount, singleSideFactor } from '../domain/amount.ts';
import type { Decoded } from '../domain/decoded.ts';
import type { HistoryPoint, QuotePatch } from '../domain/quote.ts';
import { readBase, readUsd } from '../domain/read.ts';
import type { Reject } from '../domain/reject.ts';
import { asBase, asUsd, type BaseQty, type UnixMs, type Usd } from '../domain/units.ts';
import type { ContractUnits } from './contract-units.ts';
import { fieldFault } from './field-fault.ts';
import { isStated, put } from './quote-field.ts';

/**
 * One figure as a payload states it, by what its wire values count: contracts, base units as named, quote currency.
 * Absent = this payload does not state it so.
 */
export interface StatedAmount {
  readonly contracts?: unknown;
  readonly base?: unknown;
  readonly quote?: unknown;
}

/** `optional`: the venue's number may be missing. `required`: a missing one is a fault. */
export type Presence = 'optional' | 'required';

const OPEN_INTEREST = ['openInterestRaw', 'openInterestBase', 'openInterestUsd'] as const;
const VOLUME = ['volume24hRaw', 'volume24hBase', 'volume24hUsd'] as const;

interface Counted {
  readonly base: BaseQty | undefined;
  readonly usd: Usd | undefined;
}

const isUnreadable = (raw: unknown): boolean => isStated(raw) && readBase(raw) === undefined;

/** Each contract once, in ticker units and in US dollars. Both sides are divided here and nowhere else. */
function countSingleSided(of: PublishedAmount, stated: StatedAmount, units: ContractUnits): Counted {
  const once = singleSideFactor(of);
  const { multiplier, perContract } = units;
  const base =
    readBase(stated.base, multiplier * once) ??
    (perContract === undefined ? undefined : readBase(stated.contracts, perContract * once));
  return { base, usd: readQuote(of, stated.quote) };
}

/** Quote currency that a payload states, each contract once, in US dollars. */
export function readQuote(of: PublishedAmount, stated: unknown): Usd | undefined {
  const usd = readUsd(stated);
  return usd === undefined ? undefined : asUsd(usd * singleSideFactor(of));
}

function putAmount(
  patch: QuotePatch,
  [raw, base, usd]: typeof OPEN_INTEREST | typeof VOLUME,
  of: PublishedAmount,
  stated: StatedAmount,
  units: ContractUnits,
  rejects: Reject[],
  rule: Presence = 'optional',
): void {
  const counted = countSingleSided(of, stated, units);
  const unit = of.unit === 'mixed' ? 'base' : of.unit;
  const own = readBase(stated[unit]);
  if (own !== undefined) patch[raw] = own;
  else if ((stated[unit] ?? '') === '' && rule === 'required')
    rejects.push(fieldFault(patch.symbol, raw, undefined));
  if (readBase(stated.contracts) === undefined) put(patch, raw, undefined, stated.contracts, rejects);
  put(patch, base, counted.base, stated.base, rejects);
  // An unreadable number is a fault even where the number of contracts could replace it.
  if (counted.base !== undefined && isUnreadable(stated.base))
    rejects.push(fieldFault(patch.symbol, base, stated.base));
  put(patch, usd, counted.usd, stated.quote, rejects);
  if (counted.usd === undefined && counted.base !== undefined && patch.markPrice !== undefined)
    patch[usd] = asUsd(counted.base * patch.markPrice);
}

/**
 * Puts open interest, each contract counted once: the venue's own number as it is, ticker units, and US dollars as
 * stated or else base x mark, where the same row has stated the mark before. A stated value that cannot be read
 * is a fault.
 */
export function putOpenInterest(
  patch: QuotePatch,
  of: PublishedAmount,
  stated: StatedAmount,
  units: ContractUnits,
  rejects: Reject[],
  rule: Presence = 'optional',
): void {
  putAmount(patch, OPEN_INTEREST, of, stated, units, rejects, rule);
}

/** Puts the rolling 24 h volume in the same way. */
export function putVolume(
  patch: QuotePatch,
  of: PublishedAmount,
  stated: StatedAmount,
  units: ContractUnits,
  rejects: Reject[],
  rule: Presence = 'optional',
): void {
  putAmount(patch, VOLUME, of, stated, units, rejects, rule);
}

/**
 * Adds open interest of the past, each contract counted once, with what else the row states of that moment; a row
 * without a readable time or amount is a fault, and so is an amount that cannot be read beside one that can.
 */
export function addOpenInterestPoint(
  out: Decoded,
  symbol: string,
  time: UnixMs | undefined,
  of: PublishedAmount,
  stated: StatedAmount,
  units: ContractUnits,
  beside: Partial<HistoryPoint> = {},
): void {
  const { base, usd } = countSingleSided(of, stated, units);
  if (time === undefined) {
    out.rejects.push({ symbol, reason: 'malformed', detail: 'time' });
    return;
  }
  if (base === undefined && usd === undefined) {
    const raw = stated.base ?? stated.contracts ?? stated.quote;
    out.rejects.push(fieldFault(symbol, 'openInterest', raw));
    return;
  }
  const unread = [stated.contracts, stated.base].filter(isUnreadable);
  if (usd === undefined && isStated(stated.quote)) unread.push(stated.quote);
  for (const raw of unread) out.rejects.push(fieldFault(symbol, 'openInterest', raw));
  out.history.push({
    ...beside,
    symbol,
    time,
    ...(base !== undefined && { openInterestBase: asBase(base) }),
    ...(usd !== undefined && { openInterestUsd: usd }),
  });
}
