import type { AssetClass } from '../../domain/instrument.ts';
import type { Registry } from './lookup.ts';

/**
 * The home currency of a share behind its name: Bitget and Gate list TENCENTHKD, XIAOMIHKD, ZHIPUHKD and MINIMAXHKD, which
 * count Hong Kong dollars, beside the same shares in US dollars (2026-07).
 */
const GLUED = /^([A-Z0-9]{3,})(HKD|KRW|JPY|TWD|CNY|CNH|INR)$/;
const CURRENCIES = new Set('USD EUR GBP AUD NZD CAD CHF HKD KRW JPY TWD CNY CNH INR SGD'.split(' '));

/**
 * The class of a name that ends in a currency: a pair of two is fx, a share in its home currency an asset of its own, in
 * another unit than the share in dollars. Undefined for other names, and where the venue states a class: a coin with such a
 * name is one unless a known share is before the currency.
 */
export function gluedQuoteClass(
  registry: Registry,
  name: string,
  stated: AssetClass | undefined,
): AssetClass | undefined {
  const [, before] = GLUED.exec(name) ?? [];
  if (before === undefined || (stated !== undefined && stated !== 'crypto')) return undefined;
  const known = registry.named(before).find(({ assetClass }) => assetClass !== 'crypto');
  if (known !== undefined && known.assetClass !== 'fx') return known.assetClass;
  if (stated !== undefined) return undefined;
  return CURRENCIES.has(before) ? 'fx' : 'equity';
}
