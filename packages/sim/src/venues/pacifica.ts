import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import type { Sides } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import { baseTextTwice } from '../format.ts';
import { candleOf, openTimes } from '../history.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { decimalSides } from './sides.ts';
import { bookTime } from './stepped-book.ts';

/** Of one channel on one connection. */
const SUBSCRIPTIONS = 20;
/** Levels of a book, a side. */
const LEVELS = 10;
const LOW = new Set(['PEPE', 'SHIB', 'BONK']);

const listing: SimListing = {
  venue: 'pacifica',
  size: 0.05,
  quotes: ['USDC'],
  count: 70,
  classes: ['crypto', 'equity'],
  include: ['NVDA', 'TSLA'],
  baseName: (ticker) =>
    LOW.has(ticker) ? { base: `k${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: () => 1,
  symbol: (base) => base,
};

function live(world: World): readonly SimContract[] {
  return world.contracts(listing).filter((c) => c.status === 'live');
}

function ok(data: unknown, weight = 1): SimResponse {
  return { status: 200, body: JSON.stringify({ success: true, data, error: null, code: null }), weight };
}

function infoRow(c: SimContract, world: World, t: number) {
  return {
    symbol: c.symbol,
    tick_size: decimal(c.tick),
    lot_size: decimal(c.lot),
    max_leverage: 50,
    min_order_size: '10',
    funding_rate: decimal(world.settledRate(c, world.nextFunding(c, t) - HOUR_MS)),
    next_funding_rate: decimal(world.fundingRate(c, t)),
    created_at: 1_748_881_333_944,
    instrument_type: 'perpetual',
    base_asset: c.base,
  };
}

const SPOT = {
  symbol: 'SOL-USDC',
  tick_size: '0.01',
  lot_size: '0.001',
  funding_rate: '0',
  next_funding_rate: '0',
  instrument_type: 'spot',
  base_asset: 'SOL',
};

/** Open interest is long plus short, volume maker plus taker. */
function priceRow(c: SimContract, world: World, t: number) {
  const mark = world.mark(c, t);
  return {
    funding: decimal(world.settledRate(c, world.nextFunding(c, t) - HOUR_MS)),
    mark: decimal(mark * c.multiplier),
    mid: decimal(mark * c.multiplier),
    next_funding: decimal(world.fundingRate(c, t)),
    open_interest: baseTextTwice(c, world.openInterest(c, t)),
    oracle: decimal(world.index(c, t) * c.multiplier),
    symbol: c.symbol,
    timestamp: t,
    volume_24h: decimal(2 * world.volume24h(c, t) * mark),
    yesterday_price: decimal(world.mark(c, t - 24 * HOUR_MS) * c.multiplier),
  };
}

function bookData(c: SimContract, { bids, asks }: Sides, t: number) {
  const side = (rows: Sides['bids']) => rows.map(([p, a]) => ({ p, a, n: 1 }));
  return { s: c.symbol, l: [side(bids), side(asks)], t };
}

function book(c: SimContract, world: World, now: number) {
  const t = bookTime(now);
  return bookData(c, decimalSides(c, world, t, LEVELS), t);
}

function history(request: SimRequest, world: World): SimResponse {
  const contract = live(world).find((c) => c.symbol === request.query.get('symbol'));
  if (contract === undefined) return NOT_FOUND;
  const limit = Math.min(100, Number(request.query.get('limit') ?? 100));
  const newest = Number(request.query.get('cursor') ?? world.nextFunding(contract, request.now) - HOUR_MS);
  const data = Array.from({ length: limit }, (_, i) => {
    const t = newest - i * HOUR_MS;
    return {
      oracle_price: decimal(world.index(contract, t) * contract.multiplier),
      funding_rate: decimal(world.settledRate(contract, t - HOUR_MS)),
      next_funding_rate: decimal(world.settledRate(contract, t)),
      created_at: t + 4_249,
    };
  });
  const next_cursor = String(newest - limit * HOUR_MS);
  return {
    status: 200,
    body: JSON.stringify({ success: true, data, next_cursor, has_more: true }),
    weight: 9,
  };
}

const NOT_FOUND: SimResponse = {
  status: 404,
  body: '{"success":false,"data":null,"error":"Symbol not found","code":404}',
};

/** Candles of a minute, whatever is asked for. */
function markCandles({ query, now }: SimRequest, world: World): SimResponse {
  const contract = live(world).find((c) => c.symbol === query.get('symbol'));
  if (contract === undefined) return NOT_FOUND;
  const to = Math.min(now, Number(query.get('end_time') ?? now));
  const rows = openTimes(Number(query.get('start_time') ?? 0), to, 60_000, 500).map((t) => {
    const { open, high, low, close } = candleOf((at) => world.mark(contract, Math.min(at, now)), t, 60_000);
    const [o, h, l, c] = [open, high, low, close].map((price) => decimal(price * contract.multiplier));
    return { s: contract.symbol, i: '1m', t, T: t + 60_000, o, h, l, c, v: '0', n: 0 };
  });
  return ok(rows, 12);
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { now, query } = request;
  switch (request.path) {
    case '/api/v1/info':
      return ok([...live(world).map((c) => infoRow(c, world, now)), SPOT], 2);
    case '/api/v1/info/prices':
      return ok(live(world).map((c) => priceRow(c, world, now)));
    case '/api/v1/book': {
      const contract = live(world).find((c) => c.symbol === query.get('symbol'));
      return contract === undefined ? NOT_FOUND : ok(book(contract, world, now));
    }
    case '/api/v1/funding_rate/history':
      return history(request, world);
    case '/api/v1/kline/mark':
      return markCandles(request, world);
    default:
      return NOT_FOUND;
  }
}

interface Ask {
  readonly method?: string;
  readonly params?: { readonly source?: string; readonly symbol?: string };
}

class Session extends BookSession {
  #prices = false;

  onMessage(text: string): void {
    const { method, params } = JSON.parse(text) as Ask;
    if (method === 'ping') this.connection.send('{"channel":"pong"}');
    if (method !== 'subscribe' && method !== 'unsubscribe') return;
    this.send({ channel: method, data: params });
    const isWanted = method === 'subscribe';
    if (params?.source === 'prices') {
      this.#prices = isWanted;
      if (isWanted) this.#pushPrices();
    }
    if (params?.source === 'book') this.#followBook(params.symbol, isWanted);
  }

  protected override tick(): void {
    if (this.#prices) this.#pushPrices();
    super.tick();
  }

  #followBook(symbol: string | undefined, isWanted: boolean): void {
    const c = live(this.world).find((contract) => contract.symbol === symbol);
    if (c === undefined) return;
    this.books.delete(c.symbol);
    if (!isWanted || this.books.size >= SUBSCRIPTIONS) return;
    this.sendWhole(this.follow(c.symbol, c, LEVELS, undefined, true));
  }

  #pushPrices(): void {
    const data = live(this.world).map((c) => priceRow(c, this.world, this.now));
    this.send({ channel: 'prices', data });
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return decimalSides(c, this.world, t, levels);
  }

  /** Every frame is the snapshot; the id of the last change grows with its time. */
  protected sendBook(followed: FollowedBook, sides: Sides): void {
    const { c, book } = followed;
    const data = { ...bookData(c, sides, book.at), li: book.at };
    this.push(followed, { channel: 'book', data }, true);
  }
}

export const simPacifica: SimVenue = {
  id: 'pacifica',
  listing,
  limit: {
    weight: 125,
    perMs: 60_000,
    status: 429,
    body: '{"success":false,"data":null,"error":"Rate limit exceeded","code":429}',
  },
  rest,
  socket: (connection, world) => new Session(connection, world),
};
