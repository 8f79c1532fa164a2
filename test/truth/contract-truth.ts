import { UNDERLYING } from '@perpmeter/sim/asset-table';
import { labelOf } from '@perpmeter/sim/contracts';
import { plantedFlags } from '@perpmeter/sim/planted';
import type { SimListing, World } from '@perpmeter/sim/world';
import type { AssetClass } from '../../src/domain/instrument.ts';

/**
 * The facts that a reader of the venue must find out about one contract. Prices and amounts are per ticker
 * unit.
 */
export interface ContractTruth {
  readonly symbol: string;
  /** The asset in this world; a ticker may name two. */
  readonly assetId: string;
  /** The service's id of the asset: one for all names of one underlying. */
  readonly canonicalId: string;
  /** The class that the venue files it under, where it files at all; not always that of the asset. */
  readonly label: AssetClass;
  readonly ticker: string;
  readonly multiplier: number;
  readonly base: string;
  readonly quote: string;
  /** Fraction per interval. */
  readonly fundingRate: number;
  /** Undefined where the venue does not state it. */
  readonly intervalHours: number | undefined;
  readonly nextFunding: number;
  readonly mark: number;
  readonly index: number;
  readonly openInterestBase: number;
  readonly openInterestUsd: number;
  readonly volumeBase: number;
  readonly volumeUsd: number;
  /** A live linear perpetual: what this service selects. */
  readonly live: boolean;
  readonly kind: 'perp' | 'dated' | 'inverse' | 'spot';
  readonly status: 'live' | 'delisted' | 'prelisting';
  /** Price increment per ticker unit: how far the venue's own rounding may lie off. */
  readonly tick: number;
  /** Size increment, ticker units. */
  readonly lot: number;
}

/**
 * The truth about all contracts of a listing at time t, straight from the world and not by way of any
 * renderer. The venue's own rounding is left to the reader's tolerance. USD values are at the mark.
 */
export function truthOf(world: World, listing: SimListing, t: number): readonly ContractTruth[] {
  return world.contracts(listing).map((contract) => {
    const mark = world.mark(contract, t);
    const openInterestBase = world.openInterest(contract, t);
    const volumeBase = world.volume24h(contract, t);
    const unknown = plantedFlags(contract.venue, contract.asset.id).intervalUnknown === true;
    const perp = contract.kind === 'perp';
    return {
      symbol: contract.symbol,
      assetId: contract.asset.id,
      canonicalId: UNDERLYING.get(contract.asset.id) ?? contract.asset.id,
      label: labelOf(listing, contract.asset),
      ticker: contract.asset.ticker,
      multiplier: contract.multiplier,
      base: contract.base,
      quote: contract.quote,
      fundingRate: world.fundingRate(contract, t),
      intervalHours: unknown ? undefined : contract.intervalHours,
      nextFunding: world.nextFunding(contract, t),
      mark,
      index: world.index(contract, t),
      openInterestBase,
      openInterestUsd: openInterestBase * mark,
      volumeBase,
      volumeUsd: volumeBase * mark,
      live: perp && contract.status === 'live',
      kind: contract.kind,
      status: contract.status,
      tick: contract.tick / contract.multiplier,
      lot: contract.lot * contract.contractSize * contract.multiplier,
    };
  });
}
