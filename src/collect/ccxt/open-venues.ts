import type { VenueId } from '../../domain/venue.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';
import { ccxtAdapter } from '../../venues/ccxt/index.ts';
import type { BaseOverrides } from '../collector.ts';
import type { Transport } from '../http-client.ts';
import { type CcxtExchange, isCcxtExchange } from './exchange.ts';
import { type CcxtClasses, type CcxtModule, loadCcxt } from './load-module.ts';
import { CcxtTransport } from './transport.ts';

/** Venues that are read through ccxt: what to ask, and who asks. */
export interface CcxtVenues {
  readonly adapters: readonly VenueAdapter[];
  readonly transports: ReadonlyMap<VenueId, Transport>;
}

export type CcxtVenuesResult =
  | { readonly ok: true; readonly value: CcxtVenues }
  | { readonly ok: false; readonly errors: readonly string[] };

export interface OpenOptions {
  /** `rest` of an exchange stands in place of all its hosts. */
  readonly bases?: BaseOverrides;
  readonly load?: () => Promise<CcxtModule>;
}

/**
 * Opens exchanges by ccxt's ids; ccxt is loaded by this. Nothing is asked of them yet.
 *
 * @returns the venues, or everything that is wrong with the ids
 */
export async function openCcxtVenues(
  ids: readonly string[],
  options: OpenOptions = {},
): Promise<CcxtVenuesResult> {
  const module = await (options.load ?? loadCcxt)();
  if (!module.ok) return { ok: false, errors: [module.error] };
  const errors: string[] = [];
  const adapters: VenueAdapter[] = [];
  const transports = new Map<VenueId, Transport>();
  for (const id of new Set(ids)) {
    const opened = open(id, module.classes, options.bases?.[id]?.rest);
    if (typeof opened === 'string') errors.push(opened);
    else {
      adapters.push(ccxtAdapter(opened.profile));
      transports.set(id, opened);
    }
  }
  if (errors.length > 0) {
    errors.push(`ccxt has swaps of ${swapExchanges(module.classes).join(', ')}`);
    await Promise.all([...transports.values()].map((transport) => transport.close()));
    return { ok: false, errors };
  }
  return { ok: true, value: { adapters, transports } };
}

function open(id: string, classes: CcxtClasses, base: string | undefined): CcxtTransport | string {
  const exchange = make(id, classes);
  if (exchange === undefined) return `ccxt has no exchange "${id}"`;
  if (exchange.has.swap !== true) return `ccxt has no perpetual swaps of "${id}"`;
  const transport = new CcxtTransport(exchange, { base });
  const { offers } = transport.profile;
  const asked = ['fetchFundingRates', 'fetchFundingRate', 'fetchTickers', 'fetchTicker'] as const;
  return asked.some(offers) ? transport : `ccxt reads neither funding nor tickers of "${id}"`;
}

function make(id: string, classes: CcxtClasses): CcxtExchange | undefined {
  const Exchange = classes.get(id);
  const made = Exchange === undefined ? undefined : new Exchange();
  return isCcxtExchange(made) ? made : undefined;
}

function swapExchanges(classes: CcxtClasses): readonly string[] {
  return [...classes.keys()].filter((id) => make(id, classes)?.has.swap === true);
}
