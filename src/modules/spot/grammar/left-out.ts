import { upperAscii } from '../../../domain/ascii-case.ts';
import type { AssetClass } from '../../../domain/instrument.ts';
import { createRegistry, type Registry } from '../../../market/registry/lookup.ts';
import type { SpotReason } from '../spot-rows.ts';

/** `BTC3L`, `ETH5S`, `BTCUP`, `XRPBEAR`: tokens that hold a multiple of a coin. */
const LEVERAGED = /^(.+?)(?:[2-9]0?[LS]|UP|DOWN|BULL|BEAR|HALF|HEDGE)$/;

/** `AAPLX`, `AAPLON`, `AAPL.US`: tokens of shares. */
const SHARE = /^(.+?)(?:X|ON|\.US|STOCK)$/;

/** The issuers of share tokens write their mark in small letters: `AAPLx`, `AAPLon`. */
const MARKED_SHARE = /^[A-Z0-9.]{1,6}(?:x|on)$/;

let registry: Registry | undefined;

const isKnown = (name: string, classes: ReadonlySet<AssetClass>): boolean => {
  registry ??= createRegistry();
  return registry.named(name).some(({ assetClass }) => classes.has(assetClass));
};

const COINS: ReadonlySet<AssetClass> = new Set(['crypto']);
const SHARES: ReadonlySet<AssetClass> = new Set(['equity', 'etf']);

/**
 * The reason for which a base is no coin, by its name: a leveraged token or a token of a share. A name counts only where
 * its stem is a known asset and the whole is no known coin, so that JUP, SYRUP, GMX and TON stay coins.
 *
 * @param base as the venue spells it
 */
export function noCoin(base: string): SpotReason | undefined {
  if (MARKED_SHARE.test(base)) return 'tokenized_share';
  const name = upperAscii(base);
  const leveraged = LEVERAGED.exec(name)?.[1];
  const share = SHARE.exec(name)?.[1];
  if ((leveraged ?? share) === undefined || isKnown(name, COINS)) return undefined;
  if (leveraged !== undefined && isKnown(leveraged, COINS)) return 'leveraged_token';
  return share !== undefined && isKnown(share, SHARES) ? 'tokenized_share' : undefined;
}
