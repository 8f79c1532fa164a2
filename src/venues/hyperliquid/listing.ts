import type { Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import type { DecodeContext } from '../adapter.ts';
import { baseOfCoin, type DexName } from './wire.ts';

/**
 * Ticker units in one named base unit of a coin, or why its row is left out: of another dex, or not among the
 * listed contracts where these are known.
 */
export function multiplierOf(coin: string, context: DecodeContext, dex: DexName): number | Reject {
  const base = baseOfCoin(coin, dex);
  if (base === undefined) return { symbol: coin, reason: 'not_listed', detail: 'of another dex' };
  const listed = context.instruments.get(coin);
  if (listed !== undefined) return listed.multiplier;
  if (context.instruments.size > 0) return { symbol: coin, reason: 'not_listed' };
  return baseName(base).multiplier;
}
