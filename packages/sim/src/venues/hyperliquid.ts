import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { fixed } from '../format.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { contractOf, DEXES, dexNamed, type SimDex, universeOf } from './hyperliquid-dexes.ts';
import { assetContext, bookData, bookSides, STOPPED_AT } from './hyperliquid-rows.ts';
import { HyperliquidSocket } from './hyperliquid-socket.ts';
import { bookTime } from './stepped-book.ts';

const PAGE = 500;

function asset(contract: SimContract, { name }: SimDex, position: number) {
  const builder = name !== '';
  return {
    szDecimals: Math.max(0, Math.round(-Math.log10(contract.lot))),
    name: contract.symbol,
    maxLeverage: 20,
    marginTableId: 20,
    ...(contract.status === 'delisted' ? { isDelisted: true } : {}),
    ...(builder && position % 20 !== 3 ? { growthMode: 'enabled' } : {}),
    ...(builder ? { deployerFeeScale: position % 27 === 5 ? '0.5' : '1.0' } : {}),
  };
}

/** Listing of a dex, as `meta` says it. */
function meta(world: World, dex: SimDex) {
  return {
    universe: universeOf(world, dex).map((contract, i) => asset(contract, dex, i)),
    marginTables: [[20, { description: '', marginTiers: [{ lowerBound: '0.0', maxLeverage: 20 }] }]],
    collateralToken: dex.collateral,
  };
}

type Question = Readonly<Record<string, unknown>>;

const answer = (body: unknown, weight = 20): SimResponse => ({
  status: 200,
  body: JSON.stringify(body),
  weight,
});

const text = (status: number, body: string): SimResponse => ({
  status,
  body,
  headers: { 'content-type': 'text/plain' },
  weight: 1,
});

/** A dex or coin that does not exist. */
const UNKNOWN: SimResponse = { status: 500, body: 'null', weight: 20 };
const UNREADABLE = text(422, 'Failed to deserialize the JSON body into the target type');

function fundingHistory(question: Question, world: World, now: number): SimResponse {
  const { startTime, endTime = now } = question;
  if (typeof startTime !== 'number' || typeof endTime !== 'number') return UNREADABLE;
  const contract = contractOf(world, question.coin);
  if (contract === undefined) return UNKNOWN;
  const last = contract.status === 'live' ? Math.min(now, endTime) : STOPPED_AT;
  const rows: unknown[] = [];
  for (
    let hour = Math.ceil(startTime / HOUR_MS) * HOUR_MS;
    hour <= last && rows.length < PAGE;
    hour += HOUR_MS
  ) {
    rows.push({
      coin: contract.symbol,
      fundingRate: fixed(world.settledRate(contract, hour), 10),
      premium: fixed(world.mark(contract, hour) / world.index(contract, hour) - 1, 10),
      time: hour + 1 + ((hour / HOUR_MS) % 118),
    });
  }
  return answer(rows, 20 + Math.ceil(rows.length / 20));
}

function ofDex(question: Question, render: (dex: SimDex) => unknown): SimResponse {
  const dex = dexNamed(question.dex);
  return dex === undefined ? UNKNOWN : answer(render(dex));
}

function perpDexs(world: World) {
  return DEXES.map((dex, i) =>
    dex.name === ''
      ? null
      : {
          name: dex.name,
          fullName: dex.fullName,
          deployer: `0x${String(i).padStart(40, '0')}`,
          oracleUpdater: null,
          feeRecipient: `0x${String(i).padStart(40, '1')}`,
          assetToStreamingOiCap: universeOf(world, dex).map((c) => [c.symbol, '100000000.0']),
        },
  );
}

/** Token indices as in `collateralToken`. */
const TOKENS = { USDC: 0, USDE: 235, USDT0: 268, USDH: 360 };

const spotMeta = {
  tokens: Object.entries(TOKENS).map(([name, index]) => ({
    name,
    szDecimals: 8,
    weiDecimals: 8,
    index,
    tokenId: `0x${index.toString(16).padStart(32, '0')}`,
    isCanonical: index === 0,
  })),
  universe: [],
};

/** `POST /info`, by the type of the question. */
function info(question: Question, world: World, now: number): SimResponse {
  switch (question.type) {
    case 'meta':
      return ofDex(question, (dex) => meta(world, dex));
    case 'metaAndAssetCtxs':
      return ofDex(question, (dex) => [
        meta(world, dex),
        universeOf(world, dex).map((contract) => assetContext(contract, world, now)),
      ]);
    case 'allPerpMetas':
      return answer(DEXES.map((dex) => meta(world, dex)));
    case 'perpDexs':
      return answer(perpDexs(world));
    case 'spotMeta':
      return answer(spotMeta);
    case 'exchangeStatus':
      return answer({ specialStatuses: null, time: now }, 2);
    case 'fundingHistory':
      return fundingHistory(question, world, now);
    case 'l2Book': {
      const contract = contractOf(world, question.coin);
      const at = bookTime(now);
      const book = contract && bookData(contract, at, bookSides(contract, world, at));
      return answer(book ?? null, 2);
    }
    default:
      return UNREADABLE;
  }
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  if (request.path !== '/info') return undefined;
  if (request.method !== 'POST') return { status: 405, body: '', weight: 1 };
  let question: unknown;
  try {
    question = JSON.parse(request.body);
  } catch {
    return text(400, 'Failed to parse the request body as JSON');
  }
  if (typeof question !== 'object' || question === null) return UNREADABLE;
  return info(question as Question, world, request.now);
}

const limit: SimVenue['limit'] = { weight: 1200, perMs: 60_000, status: 429, body: 'null' };

const socket: SimVenue['socket'] = (connection, world) => new HyperliquidSocket(connection, world);

const venues = DEXES.filter(({ listing }) => listing.count > 0).map(
  ({ name, listing }): SimVenue =>
    name === ''
      ? { id: listing.venue, listing, limit, rest, socket }
      : // The chain answers for all its dexes under one address.
        { id: listing.venue, listing, limit, parent: 'hyperliquid', rest: () => undefined },
);

/** The main dex, then the builders' dexes that have live assets. */
export const simHyperliquid: readonly SimVenue[] = venues;
