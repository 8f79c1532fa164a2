import { publishedFixture } from '../../src/domain/amount-fixture.ts';
import { emptyDecoded } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import type { Reject } from '../../src/domain/reject.ts';
import { isReadableSymbol } from '../../src/domain/symbol.ts';
import { asBase, asHours, asMs, asPrice, asRate, asUsd } from '../../src/domain/units.ts';
import type { Decoder, VenueAdapter } from '../../src/venues/adapter.ts';
import type { ContractTruth } from '../truth/contract-truth.ts';

/** A row as it comes over the wire: the truth, or a test's version of it. */
type Row = ContractTruth & { readonly [field: string]: unknown };

/** A decoder's deliberate mistakes. */
export interface Mistakes {
  readonly quote?: (patch: QuotePatch, row: Row) => void;
  readonly instrument?: (instrument: Instrument, row: Row) => Instrument | undefined;
  readonly listsAll?: boolean;
  readonly silent?: boolean;
  /** Unreadable values are left out without a reject. */
  readonly swallows?: boolean;
}

function numberIn(x: unknown): number | undefined {
  const n = typeof x === 'string' && x !== '' ? Number(x) : x;
  return typeof n === 'number' && Number.isFinite(n) && Math.abs(n) < 1e15 ? n : undefined;
}

function above(x: unknown, least: 'zero' | 'nothing'): number | undefined {
  const n = numberIn(x);
  return n !== undefined && (least === 'zero' ? n > 0 : n >= 0) ? n : undefined;
}

const READ: readonly (readonly [field: keyof QuotePatch, read: (row: Row) => number | undefined])[] = [
  ['fundingRate', (row) => brand(numberIn(row.fundingRate), asRate)],
  ['fundingIntervalHours', (row) => brand(above(row.intervalHours, 'zero'), asHours)],
  ['nextFundingTime', (row) => brand(above(row.nextFunding, 'zero'), asMs)],
  ['markPrice', (row) => brand(above(row.mark, 'zero'), asPrice)],
  ['indexPrice', (row) => brand(above(row.index, 'zero'), asPrice)],
  ['openInterestRaw', (row) => above(row.openInterestBase, 'nothing')],
  ['openInterestBase', (row) => brand(above(row.openInterestBase, 'nothing'), asBase)],
  ['openInterestUsd', (row) => brand(above(row.openInterestUsd, 'nothing'), asUsd)],
  ['volume24hRaw', (row) => above(row.volumeBase, 'nothing')],
  ['volume24hUsd', (row) => brand(above(row.volumeUsd, 'nothing'), asUsd)],
  ['bestBid', (row) => brand(above(row.mark, 'zero'), (n) => asPrice(n * 0.9999))],
  ['bestAsk', (row) => brand(above(row.mark, 'zero'), (n) => asPrice(n * 1.0001))],
];

function brand(n: number | undefined, as: (x: number) => number): number | undefined {
  return n === undefined ? undefined : as(n);
}

function patchOf(row: Row, rejects: Reject[]): QuotePatch {
  const patch: QuotePatch = { symbol: row.symbol };
  for (const [field, read] of READ) {
    const value = read(row);
    if (value !== undefined) Reflect.set(patch, field, value);
    else rejects.push({ symbol: row.symbol, reason: 'malformed', detail: field });
  }
  return patch;
}

function instrumentOf(row: Row): Instrument | undefined {
  const { symbol, base, ticker, quote } = row;
  const multiplier = above(row.multiplier, 'zero');
  const names: readonly unknown[] = [symbol, base, ticker, quote];
  const named = names.every((name) => typeof name === 'string' && isReadableSymbol(name));
  if (multiplier === undefined || !named) return undefined;
  const settle = quote;
  return {
    venue: 'toy',
    symbol,
    base,
    ticker,
    multiplier,
    contractSize: 1,
    quote,
    settle,
    assetClass: 'crypto',
  };
}

/** Reads `{rows: [truth, …]}`, with the given mistakes. */
export function toyDecoder(mistakes: Mistakes): Decoder {
  return (payload) => {
    const decoded = emptyDecoded();
    const { instruments, quotes, rejects } = decoded;
    const rows = rowsIn(payload);
    if (rows === undefined) rejects.push({ symbol: null, reason: 'unexpected_shape' });
    for (const row of rows ?? []) {
      if (!isRow(row)) {
        rejects.push({ symbol: null, reason: 'malformed' });
      } else if (row.live !== true && mistakes.listsAll !== true) {
        if (mistakes.silent !== true) rejects.push({ symbol: row.symbol, reason: 'delisted' });
      } else {
        const honest = instrumentOf(row);
        const told = honest && mistakes.instrument ? mistakes.instrument(honest, row) : honest;
        if (told !== undefined) instruments.push(told);
        else rejects.push({ symbol: row.symbol, reason: 'malformed', detail: 'contract' });
        const patch = patchOf(row, mistakes.swallows === true ? [] : rejects);
        mistakes.quote?.(patch, row);
        quotes.push(patch);
      }
    }
    return decoded;
  };
}

function rowsIn(payload: unknown): readonly unknown[] | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const { rows } = payload as { rows?: unknown };
  return Array.isArray(rows) ? rows : undefined;
}

function isRow(row: unknown): row is Row {
  if (typeof row !== 'object' || row === null) return false;
  const { symbol } = row as { symbol?: unknown };
  return typeof symbol === 'string' && symbol !== '';
}

/** An adapter of one call that reads everything. */
export function toyAdapter(decode: Decoder): VenueAdapter {
  const call = { name: 'rows', frames: /./, decode };
  return {
    id: 'toy',
    displayName: 'Toy',
    kind: 'cex',
    hasIndex: true,
    index: { family: 'own', description: 'none', evidence: 'unknown' },
    ...publishedFixture,
    bases: { rest: 'https://toy.example' },
    budget: { id: 'toy', pools: [] },
    refreshMs: 1000,
    polls: [
      {
        call,
        kind: 'instruments',
        everyMs: 1000,
        weight: 1,
        requests: () => [{ method: 'GET', path: '/rows' }],
      },
    ],
    baseOf: () => undefined,
  };
}
