import { CCXT_CALLS, type CcxtCall } from '../../venues/ccxt/profile.ts';

/** A unified call, as a request's path names it. */
export interface UnifiedCall {
  readonly name: CcxtCall;
  readonly symbol: string | undefined;
}

/** Reads `/fetchFundingRate?symbol=BTC%2FUSDT%3AUSDT`; undefined for a path that names no unified call. */
export function readCallPath(path: string): UnifiedCall | undefined {
  const [name = '', query = ''] = path.slice(1).split('?');
  const call = CCXT_CALLS.find((one) => one === name);
  if (call === undefined) return undefined;
  return { name: call, symbol: new URLSearchParams(query).get('symbol') ?? undefined };
}
