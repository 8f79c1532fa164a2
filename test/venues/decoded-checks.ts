import type { BookLevel } from '../../src/domain/book.ts';
import { DATA_KINDS, type Decoded } from '../../src/domain/decoded.ts';
import { isReadableSymbol } from '../../src/domain/symbol.ts';

const POSITIVE = new Set([
  'markPrice',
  'indexPrice',
  'bestBid',
  'bestAsk',
  'fundingIntervalHours',
  'intervalHours',
  'nextFundingTime',
  'venueTime',
  'time',
  'contractSize',
  'multiplier',
]);

/** No venue is declared to have more. */
const WIDEST = { also: ', ', maxCharacters: 96 };

const NOT_NEGATIVE = new Set([
  'openInterestRaw',
  'openInterestBase',
  'openInterestUsd',
  'volume24hRaw',
  'volume24hBase',
  'volume24hUsd',
  'volumeUsd',
]);

/** Fields of which a venue may state that there is none. */
const STATED_NONE = new Set(['openInterestLimitUsd']);

/**
 * Faults that no decoder may yield, for any input: NaN, Infinity, a price or time that is not positive, a
 * negative amount, an empty name, an explicit undefined. Returns the problems found.
 */
export function checkDecoded(decoded: Decoded): string[] {
  const problems: string[] = [];
  for (const kind of DATA_KINDS) {
    for (const row of decoded[kind]) checkRow(kind, row, problems);
  }
  for (const { symbol, base, altId = symbol, indexId = symbol } of decoded.instruments) {
    const names = [symbol, base, altId, indexId].filter((name) => !isReadableSymbol(name, WIDEST));
    problems.push(...names.map((name) => `a contract is named ${JSON.stringify(name.slice(0, 80))}`));
  }
  for (const book of decoded.books) {
    checkLevels(`${book.symbol} bids`, book.bids, problems);
    checkLevels(`${book.symbol} asks`, book.asks, problems);
  }
  for (const reject of decoded.rejects) {
    if (reject.symbol === '') problems.push('reject with an empty symbol');
  }
  return problems;
}

function checkRow(kind: string, row: object, problems: string[]): void {
  const symbol: unknown = (row as { symbol?: unknown }).symbol;
  if (typeof symbol !== 'string' || symbol === '') problems.push(`${kind}: no symbol`);
  for (const [field, value] of Object.entries(row)) {
    const at = `${kind} ${String(symbol)}.${field}`;
    if (value === null && STATED_NONE.has(field)) continue;
    if (value === undefined || value === null) problems.push(`${at} is ${value}`);
    if (typeof value === 'string' && value === '') problems.push(`${at} is empty`);
    if (typeof value !== 'number') continue;
    if (!Number.isFinite(value)) problems.push(`${at} is ${value}`);
    if (POSITIVE.has(field) && !(value > 0)) problems.push(`${at} is ${value}`);
    if (NOT_NEGATIVE.has(field) && !(value >= 0)) problems.push(`${at} is ${value}`);
  }
}

function checkLevels(at: string, levels: readonly BookLevel[], problems: string[]): void {
  for (const [price, size] of levels) {
    if (!(price > 0) || !Number.isFinite(price)) problems.push(`${at}: price ${price}`);
    if (!(size >= 0) || !Number.isFinite(size)) problems.push(`${at}: size ${size}`);
  }
}
