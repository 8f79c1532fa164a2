import type { SimBook, SimContract } from '@perpmeter/sim/world';
import type { UnixMs } from '../../src/domain/units.ts';
import type { WorldMarket } from '../world/world-market.ts';
import { type ContractTruth, truthOf } from './contract-truth.ts';

/**
 * The truth about one (venue, asset), straight from the simulated world: no decoder and no table in between.
 */
export interface Truth extends ContractTruth {
  readonly venue: string;
  readonly sourceOrder: number;
  readonly rate8h: number | undefined;
  readonly takerFeeBps: number | undefined;
  readonly hasIndex: boolean;
  /** All contracts of the asset on the venue, this one among them. */
  readonly venueTotals: {
    readonly contracts: number;
    readonly openInterestUsd: number;
    readonly volumeUsd: number;
  };
  /** Time of the values. */
  readonly at: UnixMs;
  readonly book: (depth: number) => SimBook;
}

function totalsOf(contracts: readonly ContractTruth[]): Truth['venueTotals'] {
  const sum = (part: (truth: ContractTruth) => number): number =>
    contracts.reduce((all, truth) => all + part(truth), 0);
  return {
    contracts: contracts.length,
    openInterestUsd: sum((truth) => truth.openInterestUsd),
    volumeUsd: sum((truth) => truth.volumeUsd),
  };
}

/** Makes a book of each depth once: to make one takes longer than any test looks at it. */
function once(make: (depth: number) => SimBook): (depth: number) => SimBook {
  const made = new Map<number, SimBook>();
  return (depth) => {
    const book = made.get(depth) ?? make(depth);
    made.set(depth, book);
    return book;
  };
}

/** Aster's fee page, bps, of the assets of this world: dearer coins, whatever is no coin, and coins in USD1; else undefined. */
function asterFee({ symbol, quote, asset, venue }: SimContract): number | undefined {
  if (venue !== 'aster') return undefined;
  if (/^(AVL|B3|CATE|MEME|O|OKB|RTX)USDT$/.test(symbol)) return 10;
  if (['equity', 'etf', 'commodity'].includes(asset.assetClass)) return 1.25;
  return asset.assetClass === 'crypto' && quote === 'USD1' ? 0.5 : undefined;
}

/** Truth of every (venue, asset) by canonical id; of two contracts of a pair the most traded one. */
export class TruthTable {
  readonly byAsset = new Map<string, Truth[]>();
  /** Every live contract of a venue, the less traded ones too. */
  readonly contracts: (ContractTruth & { readonly venue: string })[] = [];

  /** @param at the time at which each venue was read last */
  constructor({ pairings, world }: WorldMarket, at: (venue: string) => UnixMs) {
    pairings.forEach(({ adapter, sim }, sourceOrder) => {
      const time = at(adapter.id);
      const contracts = new Map(world.contracts(sim.listing).map((contract) => [contract.symbol, contract]));
      const live = truthOf(world, sim.listing, time).filter((truth) => truth.live);
      this.contracts.push(...live.map((truth) => ({ ...truth, venue: adapter.id })));
      const listed = new Map<string, ContractTruth[]>();
      for (const truth of live) {
        const same = listed.get(truth.canonicalId);
        if (same === undefined) listed.set(truth.canonicalId, [truth]);
        else same.push(truth);
      }
      for (const same of listed.values()) {
        const truth = same.reduce((best, truth) => (truth.volumeUsd > best.volumeUsd ? truth : best));
        const contract = contracts.get(truth.symbol);
        if (contract === undefined) throw new Error(`${adapter.id} has no ${truth.symbol}`);
        const hours = truth.intervalHours;
        const of = this.byAsset.get(truth.canonicalId) ?? [];
        this.byAsset.set(truth.canonicalId, of);
        of.push({
          ...truth,
          venue: adapter.id,
          sourceOrder,
          rate8h: hours === undefined ? undefined : (truth.fundingRate * 8) / hours,
          takerFeeBps: asterFee(contract) ?? adapter.takerFeeBps,
          hasIndex: adapter.hasIndex,
          venueTotals: totalsOf(same),
          at: time,
          book: once((depth) => world.book(contract, time, depth)),
        });
      }
    });
  }

  all(): readonly Truth[] {
    return [...this.byAsset.values()].flat();
  }

  of(canonicalId: string): readonly Truth[] {
    return this.byAsset.get(canonicalId) ?? [];
  }
}
