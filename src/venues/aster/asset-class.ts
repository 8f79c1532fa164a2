import type { AssetClass } from '../../domain/instrument.ts';
import { readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';

/**
 * Tags that tell a class. The first one here that a row has counts: a company before its listing is
 * `["pre-launch","STOCK"]`. A bare `USD1-RWA` says that the asset is no coin, and no more.
 */
const CLASSES: readonly (readonly [tag: string, assetClass: AssetClass])[] = [
  ['pre-launch', 'prelaunch'],
  ['Commodities', 'commodity'],
  ['ETF', 'etf'],
  ['STOCK', 'equity'],
  ['Semiconductor', 'equity'],
  ['USD1-RWA', 'unknown'],
];

/** Tags of coins. `AOS2` and `Meme` have stood on what is no coin as well, so the flag must agree. */
const COIN_TAGS: readonly unknown[] = ['Top', 'Meme', 'AI', 'AOS2'];

/** Words of the API's family for what is no coin, none of which was seen on Aster yet. */
const TYPES: Readonly<Record<string, AssetClass>> = {
  EQUITY: 'equity',
  INDEX: 'index',
  COMMODITY: 'commodity',
  PREMARKET: 'prelaunch',
};

/** Values of `symbolType`. */
const COIN = 0;
const NO_COIN = 1;

/**
 * Reads the tags in `underlyingSubType` and the flag `symbolType`. `underlyingType` is COIN on stocks and gold as well,
 * so that by itself it proves nothing: where only it speaks for a coin, no class is stated and registry, price and the
 * venue's default decide.
 */
export function assetClassOf({
  underlyingType,
  underlyingSubType,
  symbolType,
}: Wire): AssetClass | undefined {
  const tags = wireArray(underlyingSubType) ?? [];
  const tagged = CLASSES.find(([tag]) => tags.includes(tag));
  if (tagged !== undefined) return tagged[1];
  const type = readText(underlyingType);
  const flag = readNumber(symbolType);
  if (type !== undefined && type !== 'COIN') return TYPES[type] ?? 'unknown';
  if (flag === NO_COIN) return 'unknown';
  return type === 'COIN' && flag === COIN && tags.every((tag) => COIN_TAGS.includes(tag))
    ? 'crypto'
    : undefined;
}
