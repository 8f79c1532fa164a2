import { sumOf } from '../../market/venue-totals.ts';
import type { MarketRow, MarketView, VenueTotals } from '../../market/view.ts';
import { groupBy } from '../../runtime/group-by.ts';
import type { Ports } from '../define-product.ts';
import { currencyOf } from '../rows/currency.ts';

type Market = Ports['market'];

/** The part of a market that an answer is to rest on. An undefined part is not narrowed. */
export interface MarketChoice {
  readonly venues: ReadonlySet<string> | undefined;
  /** Currencies of quotes, in upper case. */
  readonly currencies: ReadonlySet<string> | undefined;
  /** Canonical ids. */
  readonly assets: ReadonlySet<string> | undefined;
}

interface PartOfMarket extends MarketChoice {
  /** True where all assets are looked at: then a venue belongs to the part only if some contract of it does. */
  readonly isScan: boolean;
}

/** The currency of a quote, as choices name it: coins of one issuer by one name, case aside. */
export const chosenCurrency = (quote: string): string => currencyOf(quote.toUpperCase()).toUpperCase();

/**
 * The market as if there were no venues, contracts and assets but those that are chosen: whatever is picked from it is the
 * best of these. Of an asset on a venue whose shown contract is quoted in another currency, the most traded contract in a
 * chosen one is shown. Names mean what they mean in the whole market, which stays at hand as `whole`.
 */
export function chosenMarket(market: Market, choice: PartOfMarket): Market {
  const part = new MarketPart(market, choice);
  const ofRows = {
    rows: () => part.rows(),
    eachRow: () => part.rows(),
    rowsOf: (id: string) => part.rowsOf(id),
    row: (venue: string, id: string) => part.rowsOf(id).find((row) => row.venue === venue),
    contract: (venue: string, symbol: string) => part.only(market.contract(venue, symbol)),
    contractsOf: (id: string) => market.contractsOf(id).filter((row) => part.has(row)),
  };
  const ofNames: Pick<MarketView, 'identitiesOf' | 'resolve' | 'formerly' | 'renamed'> = {
    identitiesOf: (ticker) => market.identitiesOf(ticker),
    resolve: (name, options) => market.resolve(name, options),
    formerly: (name, options) => market.formerly(name, options),
    renamed: (name, options) => market.renamed(name, options),
  };
  return {
    ...ofRows,
    ...ofNames,
    whole: market.whole ?? market,
    takesQuote: (quote) => part.takesQuote(quote),
    get version() {
      return market.version;
    },
    get size() {
      return part.rows().length;
    },
    totals: (venue, id) => part.totals(venue, id),
    statedInterest: (id) => new Map([...market.statedInterest(id)].filter(([venue]) => part.hasVenue(venue))),
    listings: (scope) => market.listings(scope).filter(({ venue }) => part.hasVenue(venue)),
    aliasesOf: (id) => market.aliasesOf(id),
    venues: () => market.venues().filter(({ info }) => part.hasVenue(info.id) && part.takesPart(info.id)),
    venue: (id) => (part.hasVenue(id) ? market.venue(id) : undefined),
    lists: (venue, id) => part.lists(venue, id),
    delayed: market.delayed,
    rowsAsOf: (id, at) => market.rowsAsOf(id, at)?.filter((row) => part.has(row)),
  };
}

class MarketPart {
  readonly #market: Market;
  readonly #choice: PartOfMarket;
  /** The state of the whole market that the chosen rows are of. */
  #seen: unknown;
  #chosen: readonly MarketRow[] = [];

  constructor(market: Market, choice: PartOfMarket) {
    this.#market = market;
    this.#choice = choice;
  }

  hasVenue(venue: string): boolean {
    return this.#choice.venues?.has(venue) ?? true;
  }

  /** True of a contract that is chosen, whatever its asset. */
  has(row: MarketRow): boolean {
    return this.hasVenue(row.venue) && this.takesQuote(row.quote);
  }

  takesQuote(quote: string): boolean {
    return this.#choice.currencies?.has(chosenCurrency(quote)) ?? true;
  }

  only(row: MarketRow | undefined): MarketRow | undefined {
    return row !== undefined && this.has(row) ? row : undefined;
  }

  rows(): readonly MarketRow[] {
    const { assets } = this.#choice;
    // Some assets are asked for one by one: to bring the rows of all of them up to date takes many times as long.
    const state = assets === undefined ? this.#market.rows() : this.#market.version;
    if (state !== this.#seen) {
      this.#seen = state;
      this.#chosen = this.#shown(assets === undefined ? this.#market.rows() : this.#rowsOfEach(assets));
    }
    return this.#chosen;
  }

  /** In the order in which the whole market has them. */
  #rowsOfEach(assets: ReadonlySet<string>): readonly MarketRow[] {
    return [...assets].sort().flatMap((id) => this.#market.rowsOf(id));
  }

  rowsOf(id: string): readonly MarketRow[] {
    return this.#shown(this.#market.rowsOf(id));
  }

  totals(venue: string, id: string): VenueTotals | undefined {
    if (!this.hasVenue(venue)) return undefined;
    if (this.#choice.currencies === undefined) return this.#market.totals(venue, id);
    const contracts = this.#contractsAt(venue, id).filter((row) => this.has(row));
    return contracts.length === 0 ? undefined : sumOf(contracts);
  }

  /** True if a venue lists the asset in a chosen currency, or says nothing of its contracts at the moment. */
  lists(venue: string, id: string): boolean {
    if (!this.hasVenue(venue) || !this.#market.lists(venue, id)) return false;
    if (this.#choice.currencies === undefined) return true;
    const contracts = this.#contractsAt(venue, id);
    return contracts.length === 0 || contracts.some((row) => this.has(row));
  }

  /** True if a venue could have a contract in a scan: it lists a chosen asset, or has one in a chosen currency, or has no rows now. */
  takesPart(venue: string): boolean {
    const { assets, currencies, isScan } = this.#choice;
    if (assets !== undefined) return [...assets].some((id) => this.lists(venue, id));
    if (!isScan || currencies === undefined) return true;
    const isThere = (row: MarketRow): boolean => row.venue === venue;
    return this.rows().some(isThere) || !this.#market.rows().some(isThere);
  }

  #contractsAt(venue: string, id: string): readonly MarketRow[] {
    return this.#market.contractsOf(id).filter((row) => row.venue === venue);
  }

  /** Rows of chosen venues, each of a contract in a chosen currency. */
  #shown(rows: readonly MarketRow[]): readonly MarketRow[] {
    const ofVenues = rows.filter(({ venue }) => this.hasVenue(venue));
    if (this.#choice.currencies === undefined) return ofVenues;
    return [...groupBy(ofVenues, ({ canonicalId }) => canonicalId).values()].flatMap((asset) =>
      this.#inCurrency(asset),
    );
  }

  #inCurrency(asset: readonly MarketRow[]): readonly MarketRow[] {
    const [first] = asset;
    if (first === undefined || asset.every((row) => this.has(row))) return asset;
    const contracts = this.#market.contractsOf(first.canonicalId).filter((row) => this.has(row));
    return asset.flatMap((row) => {
      if (this.has(row)) return [row];
      return mostTraded(contracts.filter(({ venue }) => venue === row.venue)) ?? [];
    });
  }
}

/** Of contracts that can be compared the most traded one, else of all; equal ones by their symbol. */
function mostTraded(contracts: readonly MarketRow[]): MarketRow | undefined {
  const rank = ({ fresh, comparable }: MarketRow): number => Number(fresh && comparable);
  return [...contracts].sort(
    (a, b) =>
      rank(b) - rank(a) || (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1) || (a.symbol < b.symbol ? -1 : 1),
  )[0];
}
