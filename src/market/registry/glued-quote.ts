import type { AssetClass } from '../../domain/instrument.ts';
import type { Registry } from './lookup.ts';

/** A name with a currency behind it. */
const GLUED = /^([A-Z0-9]{3,})([A-Z]{3})$/;

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
  const [, before, behind] = GLUED.exec(name) ?? [];
  if (before === undefined || behind === undefined || !registry.isBehindShares(behind)) return undefined;
  if (stated !== undefined && stated !== 'crypto') return undefined;
  const known = registry.named(before).find(({ assetClass }) => assetClass !== 'crypto');
  if (known !== undefined && known.assetClass !== 'fx') return known.assetClass;
  if (stated !== undefined) return undefined;
  return registry.isCurrency(before) ? 'fx' : 'equity';
}
