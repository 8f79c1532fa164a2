import { isWire, readNumber, type Wire } from '../../domain/read.ts';
import { CCXT_CALLS, type CcxtCall, type CcxtFees, type CcxtProfile } from '../../venues/ccxt/profile.ts';

/** A ccxt exchange, as far as it is used here. */
export type CcxtExchange = Readonly<Record<CcxtCall, (argument?: unknown) => Promise<unknown>>> & {
  readonly id: string;
  readonly has: Record<string, unknown>;
  readonly urls: { api?: unknown };
  readonly options: Record<string, unknown>;
  readonly throttler: { readonly config: Record<string, unknown> };
  readonly name?: unknown;
  readonly dex?: unknown;
  readonly fees?: unknown;
  readonly markets?: unknown;
};

/** The parts of a response that ccxt uses. */
export interface FetchedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly text: () => Promise<string>;
}

export type ExchangeFetch = (url: string, init: Wire) => Promise<FetchedResponse>;

export interface ExchangeSetup {
  readonly fetch: ExchangeFetch;
  /** Address in place of the exchange's own hosts; paths behind them stay. */
  readonly base: string | undefined;
  /** Time for one request, ms. */
  readonly timeoutMs: number;
}

/** True if an object made by ccxt has all members that are used here. */
export function isCcxtExchange(made: unknown): made is CcxtExchange {
  if (typeof made !== 'object' || made === null) return false;
  const { id, has, urls, options, throttler } = made as Partial<CcxtExchange>;
  const calls = made as Partial<Record<string, unknown>>;
  return (
    typeof id === 'string' &&
    [has, urls, options, throttler?.config].every(isWire) &&
    CCXT_CALLS.every((call) => typeof calls[call] === 'function')
  );
}

/** Prepares an exchange for public calls about linear swaps: nothing else is loaded, nothing is kept. */
export function setUpExchange(exchange: CcxtExchange, setup: ExchangeSetup): void {
  Object.assign(exchange, {
    enableRateLimit: true,
    timeout: setup.timeoutMs,
    fetchImplementation: setup.fetch,
    userAgent: 'perpmeter',
    enableLastHttpResponse: false,
    enableLastResponseHeaders: false,
  });
  // Lists of currencies are not needed, and are another host's at some exchanges.
  Object.assign(exchange.has, { fetchCurrencies: false });
  Object.assign(exchange.options, { defaultType: 'swap', defaultSubType: 'linear' });
  const listing = exchange.options.fetchMarkets;
  if (isWire(listing)) {
    exchange.options.fetchMarkets = { ...listing, types: onlyLinearSwaps(listing.types) };
  }
  if (setup.base !== undefined) exchange.urls.api = redirected(exchange.urls.api, setup.base);
}

const OTHER_KINDS: ReadonlySet<unknown> = new Set(['spot', 'margin', 'future', 'option', 'inverse']);

/** Kinds of markets to load, as a list or as flags, without those that are not collected. */
function onlyLinearSwaps(types: unknown): unknown {
  if (Array.isArray(types)) {
    const kept = types.filter((type) => !OTHER_KINDS.has(type));
    return kept.length > 0 ? kept : types;
  }
  if (!isWire(types)) return types;
  return Object.fromEntries(
    Object.entries(types).map(([type, flag]) => [type, OTHER_KINDS.has(type) ? false : flag]),
  );
}

function redirected(addresses: unknown, base: string): unknown {
  if (typeof addresses === 'string') return addresses.replace(/^https?:\/\/[^/]+/, base);
  if (!isWire(addresses)) return addresses;
  return Object.fromEntries(Object.entries(addresses).map(([name, one]) => [name, redirected(one, base)]));
}

/** ccxt's symbols of the linear swaps that are loaded. */
export function linearSymbols({ markets }: CcxtExchange): readonly string[] {
  if (!isWire(markets)) return [];
  return Object.entries(markets)
    .filter(([, market]) => isWire(market) && market.swap === true && market.linear === true)
    .filter(([, market]) => isWire(market) && market.active !== false)
    .map(([symbol]) => symbol);
}

/**
 * An exchange's description of itself. ccxt flags decentralized exchanges only in part; without the flag it is
 * cex.
 *
 * @param refused calls that are offered but were refused for linear swaps
 */
export function profileOf(exchange: CcxtExchange, refused: ReadonlySet<CcxtCall>): CcxtProfile {
  return {
    id: exchange.id,
    displayName: typeof exchange.name === 'string' ? exchange.name : exchange.id,
    kind: exchange.dex === true ? 'dex' : 'cex',
    fees: feesOf(exchange),
    offers: (call) => exchange.has[call] === true && !refused.has(call),
  };
}

function feesOf({ fees, has }: CcxtExchange): CcxtFees {
  const taker = (...path: readonly string[]): number | undefined => {
    const part = path.reduce<unknown>((at, key) => (isWire(at) ? at[key] : undefined), fees);
    return isWire(part) ? readNumber(part.taker) : undefined;
  };
  const swap = taker('swap') ?? taker('contract') ?? taker('linear') ?? taker('linear', 'trading');
  return { swap, spotDefault: has.spot === true ? taker('trading') : undefined };
}
