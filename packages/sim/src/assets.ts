import type { AssetClass } from '../../../src/domain/instrument.ts';
import { baseName } from '../../../src/domain/ticker.ts';
import { CRYPTO, GOLD_TOKENS, OFFCHAIN } from './asset-table.ts';
import { keyOf, uniform } from './noise.ts';
import type { SimAsset } from './world.ts';

/** An asset with the level its price moves around, USD per ticker unit. */
export interface PricedAsset extends SimAsset {
  readonly level: number;
}

const TOTAL = 1150;
/** Off-chain assets take every third place from this one on. */
const FIRST_OFFCHAIN = 14;

type Unranked = Omit<PricedAsset, 'rank'>;

/** The assets of a world, most traded first. Real tickers in front, generated ones behind. */
export function buildAssets(seed: number): readonly PricedAsset[] {
  const crypto = parse(CRYPTO, 'crypto');
  const offchain = interleave(OFFCHAIN.map(([assetClass, table]) => parse(table, assetClass)));
  const merged: Unranked[] = [];
  let next = 0;
  for (const [position, asset] of crypto.entries()) {
    merged.push(asset);
    const other = offchain[next];
    if (position >= FIRST_OFFCHAIN && position % 3 === 0 && other !== undefined) {
      merged.push(other);
      next += 1;
    }
  }
  merged.push(...offchain.slice(next));
  const taken = new Set(merged.map((asset) => asset.ticker));
  // Last, so that they move no other asset's rank.
  const gold = parse(GOLD_TOKENS, 'crypto');
  merged.push(...longTail(seed, TOTAL - merged.length - gold.length, taken), ...gold);
  return merged.map((asset, rank) => ({ ...asset, rank }));
}

function parse(table: string, assetClass: AssetClass): Unranked[] {
  return table
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [head = '', id] = entry.split('@');
      const [ticker = '', price = ''] = head.split(':');
      return { id: id ?? `${assetClass}:${ticker}`, ticker, assetClass, level: Number(price) };
    });
}

/** Takes from each list in turn, so that every class is present among the most traded. */
function interleave(lists: readonly (readonly Unranked[])[]): Unranked[] {
  const longest = Math.max(...lists.map((list) => list.length));
  const out: Unranked[] = [];
  for (let i = 0; i < longest; i++) {
    for (const list of lists) {
      const asset = list[i];
      if (asset !== undefined) out.push(asset);
    }
  }
  return out;
}

const SYLLABLES = 'BA DE FI GO LU MI NO RA SE TI VO ZU KE PO XA YL QUO THE ARK ION NEX SOL'.split(' ');

/** Generated tickers that no multiplier or alias rule reads as another asset. */
function longTail(seed: number, count: number, taken: Set<string>): Unranked[] {
  const key = keyOf(seed, 'tickers');
  const out: Unranked[] = [];
  for (let i = 0; out.length < count; i++) {
    const parts = 2 + Math.floor(uniform(key, i * 4) * 2);
    let ticker = '';
    for (let p = 0; p < parts; p++) {
      ticker += SYLLABLES[Math.floor(uniform(key, i * 4 + 1 + p) * SYLLABLES.length)] ?? '';
    }
    const name = baseName(ticker);
    if (taken.has(ticker) || name.ticker !== ticker || name.multiplier !== 1) continue;
    taken.add(ticker);
    const level = Number((10 ** (uniform(key ^ 0x5f, i) * 4 - 2.7)).toPrecision(4));
    out.push({ id: `crypto:${ticker}`, ticker, assetClass: 'crypto', level });
  }
  return out;
}
