import {
  type CcxtExchange,
  type FetchedResponse,
  isCcxtExchange,
  linearSymbols,
  setUpExchange,
} from '../../../collect/ccxt/exchange.ts';
import type { CcxtModule } from '../../../collect/ccxt/load-module.ts';
import { failed, type Outcome, TransportFailure } from '../../../collect/transport-failure.ts';
import type { Answer } from '../../../collect/venue-caller.ts';
import { isWire, readNumber, readText, type Wire } from '../../../domain/read.ts';
import type { UnixMs } from '../../../domain/units.ts';
import { reasonOf } from '../../../runtime/reason-of.ts';
import type { VenueAdapter, VenueRequest } from '../../../venues/adapter.ts';
import type { CcxtCall } from '../../../venues/ccxt/profile.ts';
import { askedOfDex, secondByCcxt } from './second-fields.ts';
import type { OpenSecondVenue, SecondMarket, SecondSend, SecondVenue } from './second-venue.ts';

/** Requests wait for their part of the venue's budget: only what hangs is given up. */
const REQUEST_MS = 600_000;

/** Lists of what is not collected, which some exchanges load with the others, from other hosts. */
const NOT_READ: Readonly<Record<string, unknown>> = {
  fetchSpotMarkets: [],
  fetchInverseSwapMarkets: [],
  sapiPublicGetV3ExchangeInfo: { symbols: [] },
};

function leaveOut(exchange: CcxtExchange, lists: typeof NOT_READ): void {
  for (const [name, empty] of Object.entries(lists)) {
    if (name in exchange) Object.assign(exchange, { [name]: () => Promise.resolve(empty) });
  }
}

/** Opens venues with ccxt in this process, which `load` loads at the first. */
export function openHere(load: () => Promise<CcxtModule>, now: () => UnixMs): OpenSecondVenue {
  return async (adapter, send) => {
    const module = await load();
    const id = secondByCcxt(adapter)?.exchange ?? '';
    const Exchange = module.ok ? module.classes.get(id) : undefined;
    const made = Exchange === undefined ? undefined : new Exchange();
    return isCcxtExchange(made) ? new SecondExchange(made, adapter, send, now) : undefined;
  };
}

/** A venue as ccxt reads it, its requests sent by us: they wait for the venue's budget as all others do. */
class SecondExchange implements SecondVenue {
  readonly #exchange: CcxtExchange;
  readonly #adapter: VenueAdapter;
  readonly #send: SecondSend;
  #failure: TransportFailure | undefined;
  #receivedAt: UnixMs | undefined;

  constructor(exchange: CcxtExchange, adapter: VenueAdapter, send: SecondSend, now: () => UnixMs) {
    this.#exchange = exchange;
    this.#adapter = adapter;
    this.#send = send;
    const fetch = (url: string, init: Wire): Promise<FetchedResponse> => this.#fetch(url, init);
    setUpExchange(exchange, { fetch, base: undefined, timeoutMs: REQUEST_MS });
    Object.assign(exchange, { enableRateLimit: false, milliseconds: now });
    leaveOut(exchange, NOT_READ);
    // Dexes that were built on another one are venues of their own here: each is asked as the main one is.
    const listing = exchange.options.fetchMarkets;
    if (isWire(listing) && Array.isArray(listing.types)) {
      exchange.options.fetchMarkets = { ...listing, types: listing.types.filter((type) => type !== 'hip3') };
    }
  }

  async load(): Promise<Outcome<readonly SecondMarket[]>> {
    const outcome = await this.#run(() => this.#exchange.loadMarkets(true));
    // ccxt would keep the failure and give it to every other call.
    if (!outcome.ok) Object.assign(this.#exchange, { marketsLoading: undefined });
    return outcome.ok ? { ok: true, value: this.#markets() } : outcome;
  }

  async ask(call: CcxtCall, symbol?: string): Promise<Outcome<Answer>> {
    const outcome = await this.#run(() => this.#exchange[call](symbol ?? linearSymbols(this.#exchange)));
    if (!outcome.ok) return outcome;
    const receivedAt = this.#receivedAt;
    return receivedAt === undefined
      ? failed('refused', 'ccxt asked nothing')
      : { ok: true, value: { payload: outcome.value, receivedAt } };
  }

  #markets(): readonly SecondMarket[] {
    const markets = isWire(this.#exchange.markets) ? Object.values(this.#exchange.markets) : [];
    return markets.flatMap((market) => {
      if (!isWire(market) || market.swap !== true || market.linear !== true) return [];
      const symbol = readText(market.symbol);
      if (symbol === undefined) return [];
      return [{ names: namesOf(market), symbol, contractSize: readNumber(market.contractSize) }];
    });
  }

  async #run(work: () => Promise<unknown>): Promise<Outcome<unknown>> {
    this.#failure = undefined;
    try {
      return { ok: true, value: await work() };
    } catch (cause) {
      return this.#failure === undefined
        ? failed('not_json', reasonOf(cause))
        : { ok: false, failure: this.#failure };
    }
  }

  async #fetch(url: string, init: Wire): Promise<FetchedResponse> {
    const request = this.#requestOf(url, init);
    const outcome: Outcome<Answer> =
      request === undefined
        ? failed('refused', 'an address that is not the venue’s')
        : await this.#send(request);
    if (!outcome.ok) {
      this.#failure = outcome.failure;
      throw new TransportFailure(outcome.failure.kind, outcome.failure.reason);
    }
    const { payload, receivedAt } = outcome.value;
    this.#receivedAt = receivedAt;
    const headers = new Headers({ 'content-type': 'application/json' });
    return { status: 200, statusText: 'OK', headers, text: async () => JSON.stringify(payload) };
  }

  /** The request as our adapter would make it: only of hosts that it asks itself. */
  #requestOf(url: string, { method, body }: Wire): VenueRequest | undefined {
    const { host, pathname, search } = new URL(url);
    for (const [base, address] of Object.entries(this.#adapter.bases)) {
      const own = new URL(address);
      const prefix = own.pathname === '/' ? '' : own.pathname.replace(/\/$/, '');
      const isOwn = own.host === host || (base === 'rest' && secondByCcxt(this.#adapter)?.host === host);
      if (!isOwn || !address.startsWith('http') || !pathname.startsWith(prefix)) continue;
      const text = readText(body);
      return {
        method: method === 'POST' ? 'POST' : 'GET',
        path: `${pathname.slice(prefix.length)}${search}`,
        base,
        ...(text !== undefined && { body: askedOfDex(this.#adapter, text) }),
      };
    }
    return undefined;
  }
}

/** Names that the venue may have for a market: ccxt's `id` is its number at some, or spelt otherwise. */
function namesOf({ id, info }: Wire): readonly string[] {
  const { name, ticker_id: tickerId, symbol }: Wire = isWire(info) ? info : {};
  const joined = readText(id)?.replace('-', '');
  return [id, joined, name, tickerId, symbol].flatMap((entry) => readText(entry) ?? []);
}
