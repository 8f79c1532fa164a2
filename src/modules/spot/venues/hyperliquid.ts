import { isWire, readNumber, readText, type Wire } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import type { SideReader } from '../../../venues/grammar/book.ts';
import { ms, price, text } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { always, baseDecimals, priceDecimals } from '../../../venues/grammar/terms.ts';
import { keyedLevels } from '../../../venues/keyed-levels.ts';
import { bookSnapshot } from '../grammar/books.ts';
import { type BorrowTable, takeBorrow } from '../grammar/borrow.ts';
import { hourCandles } from '../grammar/candles.ts';
import { baseVolume, value } from '../grammar/fields.ts';
import { type MarketTable, marketList, withTickers } from '../grammar/markets.ts';
import { type TickerTable, tickers } from '../grammar/tickers.ts';
import { emptySpot, type SpotDecoder } from '../spot-rows.ts';
import type { SpotCall, SpotVenue } from '../spot-venue.ts';
import file from './hyperliquid-tokens.json' with { type: 'json' };

/** A token whose identity is known. Names are none here, since anybody may deploy a token of any name. */
interface KnownToken {
  readonly name: string;
  readonly asset: string;
  readonly index?: number;
  readonly tokenId: string;
  readonly relation: string;
}

const TOKENS: readonly KnownToken[] = file.tokens;

/** The known token of a row: by its id, and where an answer leaves ids out by its number and its name together. */
const tokenOf = ({ tokenId, index, name }: Wire): KnownToken | undefined =>
  TOKENS.find((known) =>
    tokenId === undefined ? known.index === index && known.name === name : known.tokenId === tokenId,
  );

const BASE = 'answer:base';
const QUOTE = 'answer:quote';

const rowsOfMeta = (
  meta: unknown,
): { readonly pairs: readonly unknown[]; readonly tokens: readonly Wire[] } | undefined => {
  if (!isWire(meta) || !Array.isArray(meta.universe) || !Array.isArray(meta.tokens)) return undefined;
  return { pairs: meta.universe, tokens: meta.tokens.filter(isWire) };
};

/** Pairs with their two tokens, which are found by the number that each states and not by place. */
const pairs: RowsOf = (payload, out) => {
  const meta = rowsOfMeta(Array.isArray(payload) ? payload[0] : payload);
  if (meta === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'universe, tokens' });
    return [];
  }
  return meta.pairs.map((pair) => {
    if (!isWire(pair) || !Array.isArray(pair.tokens)) return pair;
    const [base, quote] = pair.tokens.map((index: unknown) =>
      meta.tokens.find((token) => token.index === index),
    );
    return { ...pair, [BASE]: base, [QUOTE]: quote };
  });
};

const baseIn = ({ [BASE]: token }: Wire): Wire => (isWire(token) ? token : {});
const quoteIn = ({ [QUOTE]: token }: Wire): Wire => (isWire(token) ? token : {});
const sizeDecimals = (wire: Wire): unknown => baseIn(wire).szDecimals;

/** Decimals of a price and of a size come to eight together. */
const DECIMALS = 8;

const lotOf = baseDecimals('szDecimals');
const tickOf = priceDecimals('szDecimals');

const MARKET: MarketTable = {
  venue: 'hyperliquid',
  symbol: 'name',
  leftOut: (wire) =>
    tokenOf(baseIn(wire)) === undefined || tokenOf(quoteIn(wire)) === undefined ? 'unknown_token' : undefined,
  base: { name: 'base', raw: (wire) => baseIn(wire).name, read: readText },
  quote: { name: 'quote', raw: (wire) => quoteIn(wire).name, read: readText },
  shownBase: (wire) => tokenOf(baseIn(wire))?.asset,
  fields: {
    tokenId: { ...text('tokenId'), raw: (wire) => baseIn(wire).tokenId },
    relation: {
      name: 'relation',
      raw: () => undefined,
      read: (_, { wire }) => (tokenOf(baseIn(wire))?.relation === 'wrapped' ? 'wrapped' : undefined),
    },
    tick: {
      ...tickOf,
      raw: sizeDecimals,
      read: (raw, row) => tickOf.read(DECIMALS - (readNumber(raw) ?? Number.NaN), row),
    },
    priceDigits: always(5, 'five significant digits'),
    lot: { ...lotOf, raw: sizeDecimals },
    minQuote: always(10, 'least order of 10 USDC'),
  },
};

/** The present of each pair, named by its own field or, in older answers, by its place. */
const contexts: RowsOf = (payload, out) => {
  const meta = Array.isArray(payload) ? rowsOfMeta(payload[0]) : undefined;
  const rows: unknown = Array.isArray(payload) ? payload[1] : undefined;
  if (meta === undefined || !Array.isArray(rows)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'contexts' });
    return [];
  }
  const isNamed = rows.some((row: unknown) => isWire(row) && row.coin !== undefined);
  return rows.map((row: unknown, place) => {
    const pair = meta.pairs[place];
    return isNamed || !isWire(row) || !isWire(pair) ? row : { ...row, coin: pair.name };
  });
};

const CONTEXT: TickerTable = {
  symbol: 'coin',
  spell: () => undefined,
  fields: {
    // The middle alone is stated: neither a bid nor an ask follows from it.
    midPrice: price('midPx'),
    lastPrice: price('markPx'),
    volume24hBase: baseVolume('dayBaseVlm'),
    volume24hQuote: value('dayNtlVlm'),
  },
};

const decodeList = marketList(pairs, MARKET);
const decodeAll = withTickers(decodeList, tickers(contexts, CONTEXT));

const RESERVE: BorrowTable = {
  asset: 'token',
  assetOf: (name) => TOKENS.find((known) => known.name === name)?.asset ?? name,
  rate: 'borrowYearlyRate',
  period: 'year',
  fields: { available: baseVolume('balance') },
};

/** Reserves of tokens that are lent, each `[number of the token, state]`. */
const decodeReserves: SpotDecoder = (payload, context) => {
  const out = emptySpot();
  if (!Array.isArray(payload)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'reserves' });
    return out;
  }
  for (const entry of payload as readonly unknown[]) {
    const [index, state] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    const token = TOKENS.find((known) => known.index === index);
    if (typeof index !== 'number' || !isWire(state))
      out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
    else if (token === undefined) out.rejects.push({ symbol: String(index), reason: 'unknown_token' });
    else takeBorrow({ ...state, token: token.name }, RESERVE, context, out);
  }
  return out;
};

/** The two sides of a book, each a list of objects. */
const side =
  (at: number): SideReader =>
  ({ wire, units: { multiplier } }) => {
    const levels = Array.isArray(wire.levels) ? wire.levels[at] : undefined;
    return keyedLevels(levels, 'px', 'sz', multiplier, multiplier);
  };

const decodeBook = bookSnapshot(
  (payload, out) => {
    if (isWire(payload)) return [payload];
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no object' });
    return [];
  },
  ({ coin }) => readText(coin),
  () => undefined,
  { bids: side(0), asks: side(1), venueTime: ms('time') },
);

/** Candles state their market, oldest first. */
const decodeCandles = hourCandles(
  (payload, out) => {
    if (Array.isArray(payload)) return payload;
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'candles' });
    return [];
  },
  ({ s }) => readText(s),
  () => undefined,
  { start: ms('t'), open: price('o'), close: price('c') },
);

/** A question at the one address, known by its type. */
function infoCall(type: string, decode: SpotDecoder): SpotCall {
  const named = new RegExp(`"type"\\s*:\\s*"${type}"`);
  const frames = new RegExp(`^${type}$|${named.source}`);
  return { name: type, path: '/info', answers: (_, body) => named.test(body ?? ''), frames, decode };
}

export const hyperliquid: SpotVenue = {
  id: 'hyperliquid',
  takerFeeBps: asBps(7),
  ownNames: TOKENS.filter(({ name, asset }) => name !== asset).map(({ name, asset, relation }) => ({
    name,
    asset,
    ...(relation === 'wrapped' && { relation }),
  })),
  calls: [
    infoCall('spotMetaAndAssetCtxs', decodeAll),
    infoCall('spotMeta', decodeList),
    infoCall('l2Book', decodeBook),
    infoCall('candleSnapshot', decodeCandles),
    infoCall('allBorrowLendReserveStates', decodeReserves),
  ],
  evidence: {
    tickers: {
      said: '`spotMetaAndAssetCtxs`: `midPx` and `dayNtlVlm` (quote), neither bid nor ask, no time; tokens are known by id alone (recorded 2026-10)',
      confidence: 'high',
    },
    fee: { said: '7 bps of the base tier of spot', confidence: 'high' },
    borrow: {
      said: '`allBorrowLendReserveStates` without a key: `borrowYearlyRate` a year, `balance` tokens that are left; few tokens',
      confidence: 'high',
    },
    candles: {
      said: '`candleSnapshot`: `t` ms, `o`, `c`; oldest first, the newest 5,000 at most (public SDKs; not recorded of spot)',
      confidence: 'medium',
    },
  },
  verified: {
    version: 'info',
    date: '2026-11-28',
    source: 'Hyperliquid docs, hyperliquid-python-sdk; ccxt 4.5.84',
  },
};
