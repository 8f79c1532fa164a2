import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import {
  bookSides,
  indexOf,
  instrumentRow,
  listing,
  series,
  tickerRow,
  tradable,
  valuation,
} from './cryptocom-rows.ts';
import { CryptocomSocket } from './cryptocom-socket.ts';
import { bookTime } from './stepped-book.ts';

const MAX_DEPTH = 150;

function answer(method: string, result: unknown): SimResponse {
  return { status: 200, body: JSON.stringify({ id: -1, method: `public/${method}`, code: 0, result }) };
}

function refusal(message: string): SimResponse {
  return { status: 400, body: JSON.stringify({ code: 40_004, message }) };
}

const NO_INSTRUMENT = refusal('Invalid instrument_name');

function getTickers({ query, now }: SimRequest, world: World): SimResponse {
  const name = query.get('instrument_name');
  const rows = tradable(world).map((c) => tickerRow(c, world, now));
  const data = rows.filter((row) => name === null || row.i === name);
  return data.length === 0 ? NO_INSTRUMENT : answer('get-tickers', { data });
}

function getValuations({ query, now }: SimRequest, world: World): SimResponse {
  const name = query.get('instrument_name');
  if (name === null) return refusal('Missing instrument_name param');
  const kind = query.get('valuation_type') ?? '';
  const c = tradable(world).find(
    (contract) => contract.kind === 'perp' && [contract.symbol, indexOf(contract)].includes(name),
  );
  if (c === undefined) return NO_INSTRUMENT;
  if (valuation(kind, c, world, now) === undefined) return refusal('Invalid valuation_type');
  const count = Number(query.get('count') ?? 25);
  const from = Number(query.get('start_ts') ?? 0);
  const to = Number(query.get('end_ts') ?? now);
  const newest = valuation(kind, c, world, to);
  const data = count === 1 && newest !== undefined ? [newest] : series(kind, c, world, now, from, to, count);
  // The index answers under its own name, whichever was asked for.
  const instrument_name = kind === 'index_price' ? indexOf(c) : c.symbol;
  return answer('get-valuations', { data, instrument_name });
}

function getBook(c: SimContract | undefined, { query, now }: SimRequest, world: World): SimResponse {
  if (c === undefined) return NO_INSTRUMENT;
  const depth = Number(query.get('depth') ?? MAX_DEPTH);
  if (!(depth >= 1 && depth <= MAX_DEPTH)) return refusal('Invalid depth');
  const { asks, bids } = bookSides(c, world, bookTime(now), depth);
  const data = [{ asks, bids, t: now }];
  return answer('get-book', { depth, data, instrument_name: c.symbol });
}

function rest(request: SimRequest, world: World): SimResponse {
  const { path, query, now } = request;
  const contracts = world.contracts(listing);
  switch (path) {
    case '/exchange/v1/public/get-instruments':
      return answer('get-instruments', { data: contracts.map(instrumentRow) });
    case '/exchange/v1/public/get-tickers':
      return getTickers(request, world);
    case '/exchange/v1/public/get-valuations':
      return getValuations(request, world);
    case '/exchange/v1/public/get-book': {
      const name = query.get('instrument_name');
      return getBook(
        tradable(world).find((c) => c.symbol === name),
        request,
        world,
      );
    }
    default: {
      const page = { timestamp: new Date(now).toISOString(), status: 404, error: 'Not Found' };
      return { status: 404, body: JSON.stringify({ ...page, path: path.replace('/exchange', '') }) };
    }
  }
}

/** Crypto.com Exchange: one bulk ticker without mark, index or rate; those by instrument or by channel. */
export const simCryptocom: SimVenue = {
  id: 'cryptocom',
  listing,
  limit: { weight: 100, perMs: 1000, status: 429, body: '{"code":42901,"message":"TOO_MANY_REQUESTS"}' },
  rest,
  socket: (connection, world) => new CryptocomSocket(connection, world),
};
