import { readNumber, readText } from '../../domain/read.ts';
import type { BookSample, Listing } from '../../domain/series.ts';
import { asBps, asMs, asPrice, asUsd, type UnixMs } from '../../domain/units.ts';
import type { Cells } from '../store.ts';

/** A count; the engine always gives one. */
export function countCell(cell: unknown): number {
  return readNumber(cell) ?? 0;
}

/** A time that the engine gave in seconds. */
export function timeCell(cell: unknown): UnixMs {
  return asMs(countCell(cell) * 1000);
}

/** The first three cells of most answers: venue, symbol, and when the contract was listed. */
export function listingCells(cells: Cells): Listing {
  const [venue, symbol, listedAt] = cells;
  return { venue: readText(venue) ?? '', symbol: readText(symbol) ?? '', listedAt: timeCell(listedAt) };
}

export function originCell(cell: unknown): 'sampled' | 'backfilled' {
  return cell === 'backfilled' ? 'backfilled' : 'sampled';
}

/** A book given as one tuple; undefined where no sample had one. */
export function bookCell(cell: unknown): BookSample | undefined {
  if (!Array.isArray(cell)) return undefined;
  const [bid, ask, bidDepth, askDepth, one, five, ten] = cell.map(readNumber);
  if (bid === undefined || ask === undefined) return undefined;
  const usd = (x: number | undefined) => (x === undefined ? undefined : asUsd(x));
  const bps = (x: number | undefined) => (x === undefined ? undefined : asBps(x));
  return {
    bestBid: asPrice(bid),
    bestAsk: asPrice(ask),
    bidDepthUsd: usd(bidDepth),
    askDepthUsd: usd(askDepth),
    slippage1kBps: bps(one),
    slippage5kBps: bps(five),
    slippage10kBps: bps(ten),
  };
}
