import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { decimal } from '../decimal.ts';
import { baseText, contractsText, fineText, priceText, rateText } from '../format.ts';
import { capOf } from '../funding.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { failure, okxHistory, success } from './okx-history.ts';
import { bookRows, listing, openSwaps, seqIdAt } from './okx-rows.ts';
import { OkxSocket } from './okx-socket.ts';
import { bookTime } from './stepped-book.ts';

const CATEGORIES: Readonly<Record<string, string>> = { crypto: '1', equity: '3', commodity: '4' };

/** Face value of inverse contracts, USD. */
const INVERSE_FACE = 100;

const indexId = (c: SimContract): string => c.symbol.replace(/-SWAP$/, '');

/** A contract that is not open yet has a name and a state. */
const preopenRow = ({ symbol }: SimContract) => ({
  instType: 'SWAP',
  instId: symbol,
  state: 'preopen',
  ctType: '',
  ctVal: '',
  settleCcy: '',
  uly: '',
});

function instrumentRow(c: SimContract): object {
  if (c.status === 'prelisting') return preopenRow(c);
  const inverse = c.kind === 'inverse';
  return {
    alias: '',
    baseCcy: '',
    category: '1',
    ctMult: '1',
    ctType: inverse ? 'inverse' : 'linear',
    ctVal: inverse ? String(INVERSE_FACE) : decimal(c.contractSize),
    ctValCcy: inverse ? 'USD' : c.base,
    expTime: '',
    instCategory: CATEGORIES[c.asset.assetClass] ?? '1',
    instFamily: indexId(c),
    instId: c.symbol,
    instType: 'SWAP',
    lever: '50',
    listTime: '1573557408000',
    lotSz: decimal(c.lot),
    maxLmtSz: '100000000',
    minSz: decimal(c.lot),
    optType: '',
    quoteCcy: '',
    ruleType: 'normal',
    settleCcy: c.settle,
    state: c.status === 'live' ? 'live' : 'suspend',
    stk: '',
    tickSz: decimal(c.tick),
    uly: indexId(c),
  };
}

function fundingRow(c: SimContract, world: World, now: number): object {
  const next = world.nextFunding(c, now);
  const step = c.intervalHours * HOUR_MS;
  return {
    formulaType: 'withRate',
    fundingRate: rateText(world.fundingRate(c, now)),
    fundingTime: String(next),
    impactValue: '10000.0000000000000000',
    instId: c.symbol,
    instType: 'SWAP',
    interestRate: '0.0001000000000000',
    maxFundingRate: rateText(capOf(c)),
    method: 'current_period',
    minFundingRate: rateText(-capOf(c)),
    nextFundingRate: '',
    nextFundingTime: String(next + step),
    premium: '-0.0004021053670636',
    prevFundingTime: String(next - step),
    settFundingRate: rateText(world.settledRate(c, next - step)),
    settState: 'settled',
    ts: String(now),
  };
}

function markRow(c: SimContract, world: World, now: number): object {
  return { instType: 'SWAP', instId: c.symbol, markPx: fineText(c, world.mark(c, now)), ts: String(now) };
}

function indexRow(c: SimContract, world: World, now: number): object {
  const price = fineText(c, world.index(c, now));
  const range = { high24h: price, low24h: price, open24h: price, sodUtc0: price, sodUtc8: price };
  return { instId: indexId(c), idxPx: price, ...range, ts: String(now) };
}

function interestRow(c: SimContract, world: World, now: number): object {
  const open = world.openInterest(c, now);
  const usd = open * world.mark(c, now);
  const oi = c.kind === 'inverse' ? (usd / INVERSE_FACE).toFixed(0) : contractsText(c, open);
  return {
    instId: c.symbol,
    instType: 'SWAP',
    oi,
    oiCcy: baseText(c, open),
    oiUsd: usd.toFixed(2),
    ts: String(now),
  };
}

function tickerRow(c: SimContract, world: World, now: number): object {
  const mark = world.mark(c, now);
  const price = priceText(c, mark);
  const volume = world.volume24h(c, now);
  const book = world.book(c, now, 1);
  const [bid, bidSize] = book.bids[0] ?? [0, 0];
  const [ask, askSize] = book.asks[0] ?? [0, 0];
  return {
    instType: 'SWAP',
    instId: c.symbol,
    last: fineText(c, mark),
    lastSz: '1',
    askPx: ask > 0 ? priceText(c, ask) : '',
    askSz: contractsText(c, askSize),
    bidPx: bid > 0 ? priceText(c, bid) : '',
    bidSz: contractsText(c, bidSize),
    open24h: price,
    high24h: price,
    low24h: price,
    volCcy24h: baseText(c, volume),
    vol24h: contractsText(c, volume),
    sodUtc0: price,
    sodUtc8: price,
    ts: String(now),
  };
}

function books({ query, now }: SimRequest, c: SimContract, world: World): SimResponse {
  const at = bookTime(now);
  const { asks, bids } = bookRows(c, world, at, Math.min(400, Number(query.get('sz') ?? 1)));
  return success([{ asks, bids, ts: String(now), seqId: seqIdAt(at) }]);
}

type RowOf = (c: SimContract, world: World, now: number) => object;

/** Calls that answer all swaps. */
const BY_TYPE: Readonly<Record<string, RowOf>> = {
  'public/mark-price': markRow,
  'public/open-interest': interestRow,
  'market/tickers': tickerRow,
};

function byType(request: SimRequest, open: readonly SimContract[], row: RowOf, world: World): SimResponse {
  const { query, now } = request;
  if (query.get('instType') !== 'SWAP') return failure('51000', 'Parameter instType error');
  const instId = query.get('instId');
  const rows = open.filter((c) => instId === null || c.symbol === instId);
  return success(rows.map((c) => row(c, world, now)));
}

function fundingRates(request: SimRequest, open: readonly SimContract[], world: World): SimResponse {
  const instId = request.query.get('instId');
  const rows = open.filter((c) => instId === 'ANY' || c.symbol === instId);
  if (rows.length === 0) return failure('51001', "Instrument ID doesn't exist");
  return success(rows.map((c) => fundingRow(c, world, request.now)));
}

/** Every pair has an index, whether a swap follows it or not. */
function indexTickers(request: SimRequest, open: readonly SimContract[], world: World): SimResponse {
  const { query, now } = request;
  const quote = query.get('quoteCcy');
  const instId = query.get('instId');
  if (quote === null && instId === null)
    return failure('50015', 'Either parameter quoteCcy or instId is required');
  const rows = open
    .filter((c) => (quote === null || c.quote === quote) && (instId === null || indexId(c) === instId))
    .map((c) => indexRow(c, world, now));
  const spotOnly = { instId: `OKBONLY-${quote ?? 'USDT'}`, idxPx: '48.5', high24h: '49', ts: String(now) };
  return success(quote === null ? rows : [...rows, spotOnly]);
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  if (!request.path.startsWith('/api/v5/')) return undefined;
  const call = request.path.slice('/api/v5/'.length);
  const open = openSwaps(world);
  const row = BY_TYPE[call];
  if (row !== undefined) return byType(request, open, row, world);
  switch (call) {
    case 'public/instruments':
      return request.query.get('instType') === 'SWAP'
        ? success(world.contracts(listing).map(instrumentRow))
        : success([]);
    case 'public/funding-rate':
      return fundingRates(request, open, world);
    case 'market/index-tickers':
      return indexTickers(request, open, world);
    default: {
      const contract = open.find((c) => c.symbol === request.query.get('instId'));
      if (contract === undefined) return failure('51001', "Instrument ID doesn't exist");
      return call === 'market/books'
        ? books(request, contract, world)
        : okxHistory(call, request, contract, world);
    }
  }
}

/** The venue limits each endpoint by itself, at 10 to 40 requests in two seconds; this is what a client may send in all. */
export const simOkx: SimVenue = {
  id: 'okx',
  listing,
  limit: { weight: 100, perMs: 2000, status: 429, body: '{"msg":"Too Many Requests","code":"50011"}' },
  rest,
  socket: (connection, world) => new OkxSocket(connection, world),
};
