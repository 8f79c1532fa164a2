import type { AssetClass } from '../../domain/instrument.ts';
import type { Wire } from '../../domain/read.ts';

const CLASSES: Readonly<Record<string, AssetClass>> = {
  COIN: 'crypto',
  INDEX: 'index',
  COMMODITY: 'commodity',
  FX: 'fx',
  PREMARKET: 'prelaunch',
};

/**
 * The venue's own words for what a contract follows; `KR_EQUITY`, `HK_EQUITY` and `CN_EQUITY` are stocks as well. A
 * `TRADIFI_PERPETUAL` is on no coin, whatever its type says or leaves out.
 */
export function assetClassOf({ underlyingType, contractType }: Wire): AssetClass | undefined {
  const type = String(underlyingType);
  const stated = type.endsWith('EQUITY') ? 'equity' : CLASSES[type];
  if (contractType !== 'TRADIFI_PERPETUAL') return stated;
  return stated === undefined || stated === 'crypto' ? 'unknown' : stated;
}
