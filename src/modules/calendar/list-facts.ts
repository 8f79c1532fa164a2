import type { Instrument } from '../../domain/instrument.ts';
import type { ListReport } from '../../domain/list-report.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { ListedContract, MarketRow, MarketView } from '../../market/view.ts';
import type { ContractFacts, WholeList } from './venue-memory.ts';

/** A venue's list as the table has just taken it. */
interface TakenList {
  readonly venue: VenueId;
  readonly list: readonly Instrument[];
  readonly at: UnixMs;
  readonly report: ListReport;
}

/** The facts of a whole list, with what the table knows of its contracts at that moment. */
export function factsOf(
  { venue, list, at, report }: TakenList,
  view: Pick<MarketView, 'listings' | 'contract' | 'venue'>,
): WholeList {
  const named = new Map(view.listings({ venue }).map((listed) => [listed.symbol, listed]));
  const takerFeeBps = view.venue(venue)?.info.takerFeeBps;
  return {
    venue,
    at,
    ...(takerFeeBps !== undefined && { takerFeeBps }),
    contracts: list.map((instrument) => {
      const { symbol } = instrument;
      return factsOfContract(instrument, named.get(symbol), view.contract(venue, symbol));
    }),
    halted: new Set(report.halted),
    announced: report.announced,
  };
}

/**
 * The facts of one contract. Interval and bounds are those of its row, which joins what the list states with what comes with its
 * quotes: of a contract without a row they are not known, since the list alone may state others.
 */
function factsOfContract(
  { symbol, ticker: base, quote, listedAt, terms, takerFeeBps }: Instrument,
  listed: ListedContract | undefined,
  row: MarketRow | undefined,
): ContractFacts {
  return {
    symbol,
    base,
    ticker: listed?.ticker ?? base,
    canonicalId: listed?.canonicalId,
    quote,
    listedAt,
    delistsAt: terms?.delistsAt,
    intervalHours: row?.fundingIntervalHours,
    ownFeeBps: takerFeeBps,
    fundingCap: row?.fundingCap,
    fundingFloor: row?.fundingFloor,
  };
}
