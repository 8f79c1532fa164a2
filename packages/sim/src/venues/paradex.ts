import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { baseText, baseTextTwice, fineText, fixed, priceText } from '../format.ts';
import { capOf } from '../funding.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { bookSides, ParadexSocket, seqNoAt } from './paradex-socket.ts';
import { bookTime } from './stepped-book.ts';

const THOUSANDS = new Set(['PEPE', 'SHIB', 'BONK']);
const OPTION_STRIKES = 60;
const PERIOD_MS = 5000;

const listing: SimListing = {
  venue: 'paradex',
  size: 0.06,
  quotes: ['USD'],
  settle: () => 'USDC',
  count: 110,
  classes: ['crypto', 'index', 'commodity', 'equity'],
  include: ['PEPE', 'SHIB', 'BONK', 'US500', 'XAG', 'CL', 'NVDA'],
  baseName: (ticker) =>
    THOUSANDS.has(ticker) ? { base: `k${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: (rank) => (rank === 60 ? 24 : 8),
  symbol: (base, quote) => `${base}-${quote}-PERP`,
  dated: (base, quote) => `${base}-${quote}-25DEC26`,
  delisted: 2,
  prelisting: 2,
};

const ok = (
  results: readonly unknown[],
  cursors?: { next: string | null; prev: string | null },
): SimResponse => ({
  status: 200,
  body: JSON.stringify({ ...cursors, results }),
});

const refused = (status: number, error: string, message: string): SimResponse => ({
  status,
  body: JSON.stringify({ error, message, data: null }),
});

/** Options and a spot market: most of what the venue lists. */
interface Other {
  readonly symbol: string;
  readonly base: string;
  readonly kind: 'PERP_OPTION' | 'OPTION' | 'SPOT';
}

function others(): Other[] {
  const rows: Other[] = [{ symbol: 'USDT-USDC', base: 'USDT', kind: 'SPOT' }];
  for (let i = 0; i < OPTION_STRIKES; i++) {
    const strike = 40_000 + i * 2000;
    for (const side of ['C', 'P']) {
      rows.push({ symbol: `BTC-USD-${strike}-${side}`, base: 'BTC', kind: 'PERP_OPTION' });
      rows.push({ symbol: `BTC-USD-25DEC26-${strike}-${side}`, base: 'BTC', kind: 'OPTION' });
    }
  }
  return rows;
}

const OTHERS = others();

function marketRow(symbol: string, base: string, kind: string, period: number | string) {
  return {
    symbol,
    base_currency: base,
    quote_currency: 'USD',
    settlement_currency: 'USDC',
    order_size_increment: '0.001',
    price_tick_size: '0.1',
    min_notional: '10',
    open_at: 1_698_756_879_745,
    expiry_at: symbol.includes('25DEC26') ? Date.UTC(2026, 11, 25, 8) : 0,
    asset_kind: kind,
    trading_mode: 'STANDARD',
    market_kind: 'cross',
    position_limit: '60',
    price_bands_width: '0.05',
    max_open_orders: 100,
    max_funding_rate: String(capOf({ intervalHours: Number(period) })),
    interest_rate: '0.0001',
    clamp_rate: '0.0005',
    funding_period_hours: period,
    price_feed_id: 'GVXRSBjFk6e6J3NbVPXohDJetcTjaeeuykUpbQF8UoMU',
    delta1_cross_margin_params: {
      imf_base: '0.02',
      imf_shift: '180000',
      imf_factor: '0.00007',
      mmf_factor: '0.5',
    },
    tags: [],
  };
}

const fees = (maker: string, taker: string) => ({ maker_fee: { fee: maker }, taker_fee: { fee: taker } });

/** Rows were still seen with the flat fees of before the tiers. */
const FEES = {
  api_fee: fees('0.00003', '0.0002'),
  interactive_fee: fees('0', '0'),
  rpi_fee: fees('0.00003', '0.0002'),
};

/** Fields of a market that opens later, or has ended: neither takes orders of the book. */
function lifeOf({ status }: SimContract, now: number) {
  if (status === 'live') return {};
  const times = status === 'prelisting' ? { open_at: now + 24 * HOUR_MS } : { expiry_at: now - HOUR_MS };
  return { ...times, trading_mode: 'RFQ_ONLY' };
}

/** A listed contract; every seventh writes its period as text. */
function market(contract: SimContract, i: number, now: number) {
  const perp = contract.kind === 'perp';
  const period = perp ? contract.intervalHours : 0;
  const row = marketRow(
    contract.symbol,
    contract.base,
    perp ? 'PERP' : 'FUTURE',
    i % 7 === 6 ? String(period) : period,
  );
  const steps = { order_size_increment: String(contract.lot), price_tick_size: String(contract.tick) };
  return { ...row, ...steps, ...lifeOf(contract, now), fee_config: FEES };
}

/** Summary of a contract. All texts; made every five seconds. */
function summary(contract: SimContract, world: World, now: number) {
  const t = now;
  const mark = world.mark(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  const bid = bids[0];
  const ask = asks[0];
  return {
    symbol: contract.symbol,
    mark_price: fineText(contract, mark),
    underlying_price: fineText(contract, world.index(contract, t)),
    external_fair_price: fineText(contract, mark),
    last_traded_price: priceText(contract, mark),
    bid: bid === undefined ? '' : priceText(contract, bid[0]),
    bid_size: bid === undefined ? '' : baseText(contract, bid[1]),
    ask: ask === undefined ? '' : priceText(contract, ask[0]),
    ask_size: ask === undefined ? '' : baseText(contract, ask[1]),
    volume_24h: fixed(world.volume24h(contract, t) * mark, 6),
    total_volume: fixed(world.volume24h(contract, t) * mark * 400, 6),
    created_at: now - (now % PERIOD_MS),
    open_interest: baseTextTwice(contract, world.openInterest(contract, t)),
    funding_rate: contract.kind === 'perp' ? fixed(world.fundingRate(contract, t), 14) : '',
    price_change_rate_24h: fixed(mark / world.mark(contract, t - 24 * HOUR_MS) - 1, 6),
    greeks: { delta: '1', gamma: '0', vega: '0' },
  };
}

/** Summary of an option or a spot market: no rate, often no side of the book. */
function otherSummary({ symbol }: Other, now: number) {
  return {
    symbol,
    mark_price: '1234.5',
    mark_iv: '0.55',
    underlying_price: '80000',
    last_traded_price: '',
    bid: '',
    bid_size: '',
    ask: '1300',
    ask_size: '0.5',
    volume_24h: '',
    total_volume: '0',
    created_at: now - (now % PERIOD_MS),
    open_interest: '0',
    funding_rate: '',
    price_change_rate_24h: '',
    greeks: { delta: '0.5', gamma: '0.1', vega: '0.1' },
  };
}

function listed(world: World, symbol: string | null): SimContract | undefined {
  return world.contracts(listing).find((contract) => contract.symbol === symbol);
}

function summaries(symbol: string | null, world: World, now: number): SimResponse {
  if (symbol === null) return refused(400, 'INVALID_REQUEST_PARAMETER', 'market is required');
  if (symbol !== 'ALL') {
    const contract = listed(world, symbol);
    return contract === undefined ? NO_MARKET : ok([summary(contract, world, now)]);
  }
  return ok([
    ...world.contracts(listing).map((contract) => summary(contract, world, now)),
    ...OTHERS.map((other) => otherSummary(other, now)),
  ]);
}

const NO_MARKET = refused(404, 'NOT_FOUND', 'market not found');

/** Observations of the rate in force, newest first; the cursor is the time of the next one. */
function fundingData(query: URLSearchParams, world: World, now: number): SimResponse {
  const contract = listed(world, query.get('market'));
  if (contract === undefined) return NO_MARKET;
  const size = Math.min(5000, Number(query.get('page_size') ?? 100));
  const from = Number(query.get('start_at') ?? 0);
  const to = Number(query.get('cursor') ?? query.get('end_at') ?? now);
  const rows: unknown[] = [];
  let t = Math.floor(Math.min(to, now) / PERIOD_MS) * PERIOD_MS;
  for (; t >= from && rows.length < size; t -= PERIOD_MS) {
    const rate = world.fundingRate(contract, t);
    rows.push({
      market: contract.symbol,
      funding_index: fixed(t / HOUR_MS, 12),
      funding_premium: fixed(rate * world.mark(contract, t) * contract.multiplier, 12),
      funding_rate: fixed(rate, 14),
      funding_rate_8h: fixed((rate * 8) / contract.intervalHours, 8),
      funding_period_hours: contract.intervalHours,
      created_at: t,
    });
  }
  return ok(rows, { next: rows.length === size ? String(t) : null, prev: null });
}

function candles(query: URLSearchParams, world: World, now: number): SimResponse {
  const contract = listed(world, query.get('symbol'));
  if (contract === undefined) return NO_MARKET;
  const step = Number(query.get('resolution') ?? 1) * 60_000;
  const kind = query.get('price_kind') ?? 'last';
  const price = (t: number) =>
    Number(fineText(contract, kind === 'underlying' ? world.index(contract, t) : world.mark(contract, t)));
  const rows: number[][] = [];
  const to = Math.min(now, Number(query.get('end_at') ?? now));
  for (let t = Math.ceil(Number(query.get('start_at') ?? now) / step) * step; t <= to; t += step) {
    const open = price(t);
    const close = price(Math.min(now, t + step));
    const volume = kind === 'last' ? world.volumeBetween(contract, t, t + step) / contract.multiplier : 0;
    rows.push([t, open, Math.max(open, close), Math.min(open, close), close, volume]);
  }
  return ok(rows);
}

function orderbook(contract: SimContract, world: World, query: URLSearchParams, now: number): SimResponse {
  const depth = Math.min(100, Number(query.get('depth') ?? 20));
  const at = bookTime(now);
  const { bids, asks } = bookSides(contract, world, at, depth);
  const body = { market: contract.symbol, seq_no: seqNoAt(at), last_updated_at: at, asks, bids };
  return { status: 200, body: JSON.stringify(body) };
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { path, query, now } = request;
  switch (path) {
    case '/v1/markets': {
      const rows = [
        ...world.contracts(listing).map((contract, i) => market(contract, i, now)),
        ...OTHERS.map(({ symbol, base, kind }) => marketRow(symbol, base, kind, 0)),
      ];
      const symbol = query.get('market');
      return ok(symbol === null ? rows : rows.filter((row) => row.symbol === symbol));
    }
    case '/v1/markets/summary':
      return summaries(query.get('market'), world, now);
    case '/v1/funding/data':
      return fundingData(query, world, now);
    case '/v1/markets/klines':
      return candles(query, world, now);
    case '/v1/system/state':
      return { status: 200, body: '{"status":"ok"}' };
    case '/v1/system/time':
      return { status: 200, body: JSON.stringify({ server_time: String(now) }) };
    default: {
      const symbol = /^\/v1\/orderbook\/([^/]+)$/.exec(path)?.[1];
      if (symbol === undefined) {
        return refused(401, 'INVALID_TOKEN', 'invalid bearer jwt: missing value in request header');
      }
      const contract = listed(world, decodeURIComponent(symbol));
      return contract === undefined ? NO_MARKET : orderbook(contract, world, query, now);
    }
  }
}

export const simParadex: SimVenue = {
  id: 'paradex',
  listing,
  limit: {
    weight: 1500,
    perMs: 60_000,
    status: 429,
    body: '{"error":"RATE_LIMIT_EXCEEDED","message":"rate limit exceeded","data":null}',
  },
  rest,
  socket: (connection, world) =>
    new ParadexSocket(connection, world, (symbol) => {
      const contract = listed(world, symbol);
      return contract?.status === 'live' ? contract : undefined;
    }),
};
