import type { SimContract, World } from '@perpmeter/sim/world';
import { asBase, asMs, asPrice, asRate, asUsd, type UnixMs } from '../../src/domain/units.ts';
import type { Sample, SampledBook, Settlement } from '../../src/history/sample.ts';
import { sampledBook } from '../../src/history/sampled-book.ts';
import { sampleOf } from '../../src/history/sampler.ts';
import { makeBooks } from '../../src/market/books/book-fixture.ts';
import type { MarketRow } from '../../src/market/view.ts';
import type { Recorded } from '../history/sim-log.ts';
import type { MemoryService } from './memory-service.ts';

/** Digits that venues state of a price or an amount. */
const DIGITS = 9;
const BOOK_LEVELS = 50;
const stated = (x: number): number => Number(x.toPrecision(DIGITS));

/**
 * The service's samples of these rows at earlier times: the world's values of then, of the fields that a row's
 * venue states. A row whose contract the world does not know is an error.
 * @param hasBooks true: with the world's books of then
 */
export function historySamples(
  service: Past,
  rows: readonly MarketRow[],
  times: readonly UnixMs[],
  hasBooks = false,
): readonly Recorded<Sample>[] {
  const { world, history } = service;
  const contractOf = contractsOf(service);
  return rows.flatMap((row) => {
    const { venue, symbol } = row;
    const contract = contractOf(row);
    return times.map((at) => {
      const listedAt = history.contractAt(venue, symbol, at)?.listedAt ?? at;
      const book = hasBooks ? bookAt(world, row, contract, at) : undefined;
      return { value: sampleOf(rowAt(world, row, contract, at), at, listedAt, book), recordedAt: at };
    });
  });
}

/** The venues' later reports of the payments of these rows' contracts. */
export function historySettlements(
  service: Past,
  rows: readonly MarketRow[],
  from: UnixMs,
  to: UnixMs,
): readonly Recorded<Settlement>[] {
  const { world, history } = service;
  const contractOf = contractsOf(service);
  return rows.flatMap((row) => {
    const { canonicalId, ticker, venue, symbol, fundingIntervalHours } = row;
    const contract = contractOf(row);
    const listedAt = history.contractAt(venue, symbol, to)?.listedAt ?? from;
    const settlements: Recorded<Settlement>[] = [];
    for (let at = world.nextFunding(contract, from); at < to; at = world.nextFunding(contract, at)) {
      const value: Settlement = {
        canonicalId,
        ticker,
        venue,
        symbol,
        listedAt,
        at: asMs(at),
        origin: 'backfilled',
        rate: asRate(world.settledRate(contract, at)),
        intervalHours: fundingIntervalHours,
      };
      settlements.push({ value, recordedAt: asMs(at) });
    }
    return settlements;
  });
}

type Past = Pick<MemoryService, 'world' | 'pairings' | 'history'>;

function contractsOf({ world, pairings }: Past): (row: MarketRow) => SimContract {
  const contracts = new Map(
    pairings.flatMap(({ adapter, sim }) =>
      world.contracts(sim.listing).map((contract) => [`${adapter.id} ${contract.symbol}`, contract] as const),
    ),
  );
  return ({ venue, symbol }) => {
    const contract = contracts.get(`${venue} ${symbol}`);
    if (contract === undefined) throw new Error(`the world has no ${symbol} at ${venue}`);
    return contract;
  };
}

function bookAt(
  world: World,
  { venue, symbol }: MarketRow,
  contract: SimContract,
  at: UnixMs,
): SampledBook | undefined {
  const { view } = makeBooks(at, [{ venue, symbol, ...world.book(contract, at, BOOK_LEVELS) }]);
  return sampledBook(view.quote(venue, symbol));
}

function rowAt(world: World, row: MarketRow, contract: SimContract, at: UnixMs): MarketRow {
  const mark = stated(world.mark(contract, at));
  const interest = stated(world.openInterest(contract, at));
  const volume = stated(world.volume24h(contract, at));
  const { venue, sourceId, symbol, ticker, canonicalId, assetClass, multiplier, quote } = row;
  const { fundingIntervalHours } = row;
  return {
    venue,
    sourceId,
    symbol,
    ticker,
    canonicalId,
    assetClass,
    multiplier,
    quote,
    updatedAt: at,
    ...(fundingIntervalHours !== undefined && { fundingIntervalHours }),
    comparable: row.comparable,
    fresh: true,
    rateFresh: true,
    version: row.version,
    fundingRate: asRate(world.fundingRate(contract, at)),
    markPrice: asPrice(mark),
    ...(row.indexPrice !== undefined && { indexPrice: asPrice(stated(world.index(contract, at))) }),
    openInterestBase: asBase(interest),
    openInterestUsd: asUsd(interest * mark),
    volume24hBase: asBase(volume),
    volume24hUsd: asUsd(volume * mark),
  };
}
