import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import type { Sides } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import { capOf } from '../funding.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { decimalSides } from './sides.ts';

const listing: SimListing = {
  venue: 'derive',
  quotes: ['USDC'],
  count: 60,
  classes: ['crypto'],
  intervalHours: () => 1,
  symbol: (base) => `${base}-PERP`,
  delisted: 4,
};

function failure(code: number, message: string): SimResponse {
  return { status: 200, body: JSON.stringify({ id: 'sim', error: { code, message } }) };
}

const NOT_FOUND = failure(12_001, 'Instrument not found');
const INVALID = failure(-32_602, 'Invalid params');

function result(value: unknown): SimResponse {
  return { status: 200, body: JSON.stringify({ id: 'sim', result: value }) };
}

function details(c: SimContract, world: World, t: number) {
  return {
    instrument_type: 'perp',
    instrument_name: c.symbol,
    scheduled_activation: 1_701_840_228,
    scheduled_deactivation: 9_223_372_036_854_776,
    is_active: c.status === 'live',
    tick_size: decimal(c.tick),
    minimum_amount: decimal(c.lot),
    maximum_amount: decimal(1_000_000 * c.lot),
    amount_step: decimal(c.lot),
    maker_fee_rate: '0.00005',
    taker_fee_rate: '0.0003',
    base_fee: '0.1',
    base_currency: c.base,
    quote_currency: 'USDC',
    option_details: null,
    perp_details: {
      index: `${c.base}-USD`,
      max_rate_per_hour: decimal(capOf(c)),
      min_rate_per_hour: decimal(-capOf(c)),
      aggregate_funding: '0',
      funding_rate: decimal(world.fundingRate(c, t)),
    },
    erc20_details: null,
  };
}

/** An option and a spot pair: in the catalogue under their own types. */
const OTHERS = [
  {
    instrument_type: 'option',
    instrument_name: 'ETH-20271231-3500-C',
    is_active: true,
    base_currency: 'ETH',
  },
  { instrument_type: 'erc20', instrument_name: 'ETH-USDC', is_active: true, base_currency: 'ETH' },
];

/** The page of one type's instruments that was asked for. */
function catalogue(world: World, asked: Asked, now: number): SimResponse {
  const { instrument_type: type, page = 1, page_size: size = 100 } = asked;
  if (type === undefined || asked.expired === undefined) return INVALID;
  const all: readonly object[] =
    type === 'perp'
      ? world.contracts(listing).map((c) => details(c, world, now))
      : OTHERS.filter((row) => row.instrument_type === type);
  return result({
    instruments: all.slice((page - 1) * size, page * size),
    pagination: { num_pages: Math.ceil(all.length / size), count: all.length },
  });
}

function touch(c: SimContract, world: World, t: number) {
  const { bids, asks } = world.book(c, t, 1);
  return { bid: bids[0] ?? [0, 0], ask: asks[0] ?? [0, 0] };
}

function slim(c: SimContract, world: World, t: number) {
  const mark = world.mark(c, t);
  const volume = world.volume24h(c, t);
  const { bid, ask } = touch(c, world, t);
  return {
    A: decimal(ask[1]),
    B: decimal(bid[1]),
    I: decimal(world.index(c, t)),
    M: decimal(mark, 12),
    a: decimal(ask[0]),
    b: decimal(bid[0]),
    f: decimal(world.fundingRate(c, t)),
    maxp: decimal(mark * 1.02),
    minp: decimal(mark * 0.98),
    option_pricing: null,
    stats: {
      c: decimal(volume),
      h: decimal(mark * 1.01),
      l: decimal(mark * 0.99),
      n: 100,
      oi: decimal(world.openInterest(c, t)),
      p: '0.01',
      pr: decimal(volume * mark * 0.97),
      v: decimal(volume * mark),
    },
    t,
  };
}

function fundingHistory(c: SimContract, world: World, asked: Asked, now: number): SimResponse {
  const end = Math.floor((asked.end_timestamp ?? now) / HOUR_MS) * HOUR_MS;
  const start = asked.start_timestamp ?? end - 24 * HOUR_MS;
  const rows: unknown[] = [];
  // A candle of the rate under the start of its hour; whether the hour that runs has one is not known.
  for (let t = Math.ceil(start / HOUR_MS) * HOUR_MS; t <= end && t + HOUR_MS <= now; t += HOUR_MS) {
    const rate = decimal(world.settledRate(c, t + HOUR_MS));
    const candle = { open: rate, high: rate, low: rate, close: rate, funding_rate: rate };
    rows.push({ timestamp: t, risk_universe_id: 1, currency: c.base, ...candle });
  }
  return result({ instrument_name: null, funding_rate_history: rows });
}

interface Asked {
  readonly instrument_name?: string;
  readonly instrument_type?: string;
  readonly expired?: boolean;
  readonly page?: number;
  readonly page_size?: number;
  readonly expiry_date?: unknown;
  readonly start_timestamp?: number;
  readonly end_timestamp?: number;
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const asked = JSON.parse(request.body || '{}') as Asked;
  const live = world.contracts(listing).filter((c) => c.status === 'live');
  const one = live.find((c) => c.symbol === asked.instrument_name);
  switch (request.path) {
    case '/v3/public/get_all_instruments':
      return catalogue(world, asked, request.now);
    case '/v3/public/get_tickers':
      if (asked.instrument_type !== 'perp' || asked.expiry_date !== undefined) return INVALID;
      return result({
        tickers: Object.fromEntries(live.map((c) => [c.symbol, slim(c, world, request.now)])),
      });
    case '/v3/public/get_ticker':
      return one === undefined ? NOT_FOUND : result(slim(one, world, request.now));
    case '/v3/public/get_funding_rate_history':
      return one === undefined ? NOT_FOUND : fundingHistory(one, world, asked, request.now);
    default:
      return undefined;
  }
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly channels?: readonly string[] };
}

class Session extends BookSession {
  readonly #channels = new Set<string>();
  #isBare = false;

  onMessage(text: string): void {
    const { id, method, params } = JSON.parse(text) as Message;
    const asked = params?.channels ?? [];
    for (const channel of asked) this.books.delete(channel);
    if (method === 'unsubscribe') {
      for (const channel of asked) this.#channels.delete(channel);
      const status = Object.fromEntries(asked.map((channel) => [channel, 'ok']));
      this.send({ id, result: { status, remaining_subscriptions: [...this.#channels] } });
      return;
    }
    const status = Object.fromEntries(
      asked.map((channel) => [
        channel,
        this.#find(channel.split('.')[1]) === undefined ? 'Instrument not found' : 'ok',
      ]),
    );
    for (const channel of asked) if (status[channel] === 'ok') this.#channels.add(channel);
    this.send({ id, result: { status, current_subscriptions: [...this.#channels] } });
    for (const channel of asked) this.#push(channel);
  }

  protected override tick(): void {
    for (const channel of this.#channels) this.#push(channel);
  }

  #find(symbol: string | undefined): SimContract | undefined {
    return this.world.contracts(listing).find((c) => c.symbol === symbol);
  }

  #push(channel: string): void {
    const [kind, symbol, , depth = '20'] = channel.split('.');
    const c = this.#find(symbol);
    if (c === undefined) return;
    if (kind === 'ticker_slim') {
      // The venue wraps some tickers and sends others as they are.
      const ticker = slim(c, this.world, this.now);
      const data = this.#isBare ? ticker : { timestamp: this.now, instrument_ticker: ticker };
      this.send({ jsonrpc: '2.0', method: 'subscription', params: { channel, data } });
      this.#isBare = !this.#isBare;
      return;
    }
    const known = this.books.get(channel);
    if (known === undefined) this.sendWhole(this.follow(channel, c, Number(depth), undefined, true));
    else this.publish(known);
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return decimalSides(c, this.world, t, levels);
  }

  protected sendBook(followed: FollowedBook, { bids, asks }: Sides): void {
    const { name: channel, c, book } = followed;
    const data = { timestamp: book.at, instrument_name: c.symbol, publish_id: book.at, bids, asks };
    this.push(followed, { jsonrpc: '2.0', method: 'subscription', params: { channel, data } }, true);
  }
}

export const simDerive: SimVenue = {
  id: 'derive',
  listing,
  limit: {
    weight: 50,
    perMs: 5000,
    status: 429,
    body: '{"error":{"code":-32000,"message":"Rate limit exceeded"}}',
  },
  rest,
  socket: (connection, world) => new Session(connection, world),
};
