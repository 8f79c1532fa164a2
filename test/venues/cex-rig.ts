import type { Decoded } from '../../src/domain/decoded.ts';
import { asMs } from '../../src/domain/units.ts';
import { createWorld } from '../../src/sim/create-world.ts';
import type { SimVenue } from '../../src/sim/venue.ts';
import { simBackpack } from '../../src/sim/venues/backpack.ts';
import { simCryptocom } from '../../src/sim/venues/cryptocom.ts';
import { simPhemex } from '../../src/sim/venues/phemex.ts';
import { simWhitebit } from '../../src/sim/venues/whitebit.ts';
import type { SimContract } from '../../src/sim/world.ts';
import type { VenueAdapter, VenueRequest } from '../../src/venues/adapter.ts';
import { backpack } from '../../src/venues/backpack/index.ts';
import { cryptocom } from '../../src/venues/cryptocom/index.ts';
import { phemex } from '../../src/venues/phemex/index.ts';
import { whitebit } from '../../src/venues/whitebit/index.ts';
import { callFor, contextOf } from './samples.ts';
import { type Pairing, type Run, renderRequest, runAdapter } from './sim-run.ts';

export const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
export const world = createWorld(1);

/** A venue with its simulated counterpart, and how it is asked. */
export interface CexVenue {
  readonly adapter: VenueAdapter;
  readonly sim: SimVenue;
  /** Addresses with `*` in the place of the symbol. */
  readonly book: string;
  readonly funding: string;
  /** Calls by contract, which together say what the bulk calls say. */
  readonly single: readonly string[];
  /** Frame that subscribes to a book. */
  readonly follow: (symbol: string) => object;
  readonly socket: string;
}

export const PHEMEX: CexVenue = {
  adapter: phemex,
  sim: simPhemex,
  book: '/md/v2/orderbook?symbol=*',
  funding: '/api-data/public/data/funding-rate-history?symbol=.*FR8H&limit=48',
  single: ['/md/v3/ticker/24hr?symbol=*', '/contract-biz/public/real-funding-rates?symbol=*'],
  follow: (symbol) => ({ id: 1, method: 'orderbook_p.subscribe', params: [symbol, true, 30] }),
  socket: '',
};
export const WHITEBIT: CexVenue = {
  adapter: whitebit,
  sim: simWhitebit,
  book: '/api/v4/public/orderbook/*?limit=30',
  funding: '/api/v4/public/funding-history/*?limit=48',
  // Has no calls by contract, and ignores the parameters of this one.
  single: ['/api/v4/public/futures?market=*'],
  follow: (symbol) => ({ id: 1, method: 'depth_subscribe', params: [symbol, 30, '0', true] }),
  socket: '/ws',
};
export const CRYPTOCOM: CexVenue = {
  adapter: cryptocom,
  sim: simCryptocom,
  book: '/public/get-book?instrument_name=*&depth=50',
  funding: '/public/get-valuations?instrument_name=*&valuation_type=funding_hist&count=48',
  single: [
    '/public/get-tickers?instrument_name=*',
    ...['mark_price', 'index_price', 'funding_rate'].map(
      (type) => `/public/get-valuations?instrument_name=*&valuation_type=${type}&count=1`,
    ),
  ],
  follow: (symbol) => ({
    id: 1,
    method: 'subscribe',
    params: { channels: [`book.${symbol}.50`], book_subscription_type: 'SNAPSHOT_AND_UPDATE' },
  }),
  socket: '/exchange/v1/market',
};
export const BACKPACK: CexVenue = {
  adapter: backpack,
  sim: simBackpack,
  book: '/api/v1/depth?symbol=*&limit=100',
  // The first row is the hour that still runs.
  funding: '/api/v1/fundingRates?symbol=*&limit=49',
  single: ['markPrices', 'openInterest', 'ticker'].map((name) => `/api/v1/${name}?symbol=*`),
  follow: (symbol) => ({ method: 'SUBSCRIBE', params: [`depth.200ms.${symbol}`] }),
  socket: '',
};
export const CEX_VENUES = [PHEMEX, WHITEBIT, CRYPTOCOM, BACKPACK];

const runs = new Map<CexVenue, Run>();

/** All that the adapter learns of its simulated venue. */
export function runOf(venue: CexVenue): Run {
  const run = runs.get(venue) ?? runAdapter(pairingOf(venue), world, AT);
  runs.set(venue, run);
  return run;
}

export const pairingOf = ({ adapter, sim }: CexVenue): Pairing => ({ adapter, sim, served: [sim] });

/** The live contract of a ticker. */
export function contractOf({ sim }: CexVenue, ticker: string): SimContract {
  const found = world.contracts(sim.listing).find((c) => c.asset.ticker === ticker && c.status === 'live');
  if (found === undefined) throw new Error(`${sim.id} lists no ${ticker}`);
  return found;
}

/** Answer of a call by contract, decoded. */
export function ask(venue: CexVenue, address: string, contract: SimContract): Decoded {
  const path = address.replace('*', contract.symbol);
  const request: VenueRequest = { method: 'GET', path, symbol: contract.symbol };
  const call = callFor(venue.adapter, path, 'GET');
  const answer = renderRequest(pairingOf(venue), world, request, AT);
  if (call === undefined || answer?.status !== 200) throw new Error(`${path}: ${answer?.body}`);
  const context = contextOf([...runOf(venue).instruments.values()], request);
  return call.decode(JSON.parse(answer.body), { ...context, receivedAt: asMs(AT) });
}

/** A connection whose time the test owns. */
export function connect(sim: SimVenue, path: string) {
  const frames: unknown[] = [];
  let closed: number | undefined;
  const session = sim.socket?.(
    {
      path,
      send: (frame) => void frames.push(JSON.parse(String(frame))),
      close: (code) => {
        closed = code;
      },
    },
    world,
  );
  session?.onTick(AT);
  return {
    say: (message: unknown) =>
      session?.onMessage(typeof message === 'string' ? message : JSON.stringify(message)),
    tick: (t: number) => session?.onTick(t),
    frames: () => frames.splice(0),
    closed: () => closed,
  };
}
