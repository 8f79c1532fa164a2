import type { AssetClass } from '../../domain/instrument.ts';
import type { Wire } from '../../domain/read.ts';
import { asBps, type Bps } from '../../domain/units.ts';
import { assetClassOf } from './asset-class.ts';

/** Base tier of what is not told apart below. */
export const USUAL_TAKER_FEE = asBps(4);
const GROUP_B_FEE = asBps(10);
const RWA_FEE = asBps(1.25);
const USD1_FEE = asBps(0.5);

/** Contracts of Group B, a list of the venue's fee page as published on 2026-09-29; no field of a row tells them. */
const GROUP_B = new Set(
  `1000NEX AEON ASTEROID AVL BAY BASECAT BLEND B3 CARDS CATE DELTA FONE MEME MARSCOIN NES O OKB PENGUIN PUNDIAI RTX
   SKHYNIX`
    .split(/\s+/)
    .map((base) => `${base}USDT`),
);

/** Classes that the fee page calls RWA. A class that is not launched yet is not assumed to be among them. */
const RWA: readonly (AssetClass | undefined)[] = ['equity', 'etf', 'commodity'];

/**
 * The taker fee of a contract where it differs from the usual one: by class and quote, as on the venue's fee page.
 * Group B goes before RWA, whose list has SKHYNIXUSDT too: the higher of two published fees.
 */
export function takerFeeOf(wire: Wire, symbol: string): Bps | undefined {
  if (GROUP_B.has(symbol)) return GROUP_B_FEE;
  const assetClass = assetClassOf(wire);
  // Said to be no coin by tag or flag; by a type of another name it is not known to be RWA.
  const isNoCoin = assetClass === 'unknown' && wire.underlyingType === 'COIN';
  if (isNoCoin || RWA.includes(assetClass)) return RWA_FEE;
  return assetClass === 'crypto' && wire.quoteAsset === 'USD1' ? USD1_FEE : undefined;
}
