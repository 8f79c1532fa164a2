import type { Published } from '../../domain/amount.ts';
import { readNumber, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { columnsIn, envelope, objectIn, rowsIn } from '../grammar/answer.ts';
import { type ContractTable, contractList, contractSize } from '../grammar/contract.ts';
import {
  bound,
  type ContractRow,
  field,
  hours,
  listing,
  ms,
  price,
  rate,
  required,
  SECONDS,
  text,
  where,
} from '../grammar/field.ts';
import { priceSeries, settledRates } from '../grammar/history.ts';
import { amount, type QuoteTable, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, requested, requestedRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { beforeLaunch } from '../launch.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'contract/ticker `holdVol`',
    unit: 'contracts',
    sides: 'one',
    evidence: 'recorded odd count: 95479623',
    date: '2026-05',
    confidence: 'medium',
  },
  volume: {
    field: 'contract/ticker `volume24`',
    unit: 'contracts',
    sides: 'one',
    evidence:
      'public odd count: 311051901 contracts of BTC_USDT; a help page of the venue speaks of buys and sells together',
    date: '2026-10',
    confidence: 'high',
  },
  verified: {
    version: 'contract v1 on api.mexc.com',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; futures REST moved on 2026-01-19',
  },
};

/**
 * `BTC_USDT` and `BTC_USDC` are linear, `BTC_USD` is inverse, `BTC_USD1` settles in another coin, a date behind the pair
 * ends a dated contract, and only spot pairs have no underscore. Sizes count contracts.
 */
export const { baseOf, reasonOf, unitsOf } = symbols({
  linear: /^(.+)_USD[TC]$/,
  others: [
    [/_\d{6,8}$/, 'dated'],
    [/_USD$/, 'inverse'],
    [/_/, 'foreign_quote'],
  ],
  rest: 'spot',
});

/** Errors come with HTTP 200; success is 0, once seen as "0". */
export const open = envelope({
  isSuccess: (code) => readNumber(code) === 0,
  message: ({ message, msg }) => message ?? msg,
});
const rows = rowsIn(open, { list: 'resultList', row: 'symbol' });

/** 0 is enabled. */
const STATES: Readonly<Record<number, OutOfScopeReason>> = {
  1: 'delisted',
  2: 'delisted',
  3: 'delisted',
  4: 'not_trading',
};

function leftOut(wire: Wire, symbol: string, { receivedAt }: DecodeContext) {
  const { baseCoin, quoteCoin, settleCoin: settle, futureType } = wire;
  // 1 perpetual, 2 delivery; old replies do not say, but the symbol of a dated contract does.
  const kind = futureType === undefined ? 1 : readNumber(futureType);
  if (kind === 2 || reasonOf(symbol) === 'dated') return 'dated';
  if (kind !== 1) return fieldFault(symbol, 'futureType', futureType);
  if (settle === baseCoin) return 'inverse';
  if (quoteCoin !== settle) return 'quanto';
  if (settle !== 'USDT' && settle !== 'USDC') return 'foreign_quote';
  // 0 on old contracts; what is enabled may open later.
  const launch = { field: 'openingTime', raw: wire.openingTime };
  const early = beforeLaunch(symbol, launch, false, receivedAt);
  if (early !== undefined) return early;
  if (wire.isHidden === true) return { symbol, reason: 'not_trading', detail: 'isHidden' } as const;
  const state = readNumber(wire.state) ?? Number.NaN;
  return state === 0 ? undefined : (STATES[state] ?? fieldFault(symbol, 'state', wire.state));
}

export const CONTRACT: ContractTable = {
  venue: 'mexc',
  symbol: 'symbol',
  leftOut,
  base: text('baseCoin'),
  quote: text('settleCoin'),
  listedAt: listing('openingTime'),
  // Coins as named; USD on inverse ones.
  contractSize: contractSize('contractSize'),
  // 2 are stock contracts, which trade, whatever the documents call them.
  assetClass: field('type', (raw, { wire }) => {
    if (wire.preMarket === true) return 'prelaunch';
    return readNumber(raw) === 2 ? 'equity' : undefined;
  }),
  terms: TERMS,
};
export const decodeDetail = contractList(rows, CONTRACT);

const isOnMarket = ({ symbol, context }: ContractRow): boolean =>
  context.instruments.get(symbol)?.assetClass !== 'prelaunch';

/** The index. Before its market a contract has no basket of spot prices: what stands in the field is no index. */
const index = (name: string) => where(isOnMarket, price(name));

/** Rows that state an index alone. */
const ofIndex = (table: QuoteTable): RowDecoder => {
  const take = quotes(table);
  return (row, out) => {
    if (isOnMarket(row)) take(row, out);
    else out.rejects.push({ symbol: row.symbol, reason: 'placeholder', detail: 'index before the market' });
  };
};

/** All contracts or one; mark and index are absent before 2026-04. */
export const decodeFunding = contractRows(
  rows,
  'symbol',
  unitsOf,
  quotes({
    fundingRate: required(rate('fundingRate')),
    fundingIntervalHours: required(hours('collectCycle')),
    fundingCap: bound('maxFundingRate'),
    fundingFloor: bound('minFundingRate'),
    nextFundingTime: required(ms('nextSettleTime')),
    markPrice: price('fairPrice'),
    indexPrice: index('idxPrice'),
    // When the reply was made.
    venueTime: ms('timestamp'),
  }),
);

/** A ticker without mark, index and rate, of which the polled `funding_rate` is three times as fresh. */
const VOLUMES: QuoteTable = {
  openInterest: amount(PUBLISHED.openInterest, { contracts: 'holdVol' }),
  volume24h: amount(PUBLISHED.volume, { contracts: 'volume24', quote: 'amount24' }),
  bestBid: price('bid1'),
  bestAsk: price('ask1'),
};

/** Takes tickers, whose stamp is the last trade's; what has never traded has no market. */
const tickers = (table: QuoteTable): RowDecoder => {
  const take = quotes(table);
  return (row, out) => {
    const { wire, symbol } = row;
    if (readNumber(wire.lastPrice) !== 0) take(row, out);
    else out.rejects.push({ symbol, reason: 'placeholder', detail: 'lastPrice 0' });
  };
};

/** A ticker of REST or of a channel. */
export const takeTicker = tickers({
  fundingRate: rate('fundingRate'),
  markPrice: price('fairPrice'),
  indexPrice: index('indexPrice'),
  ...VOLUMES,
});
export const decodeTickers = contractRows(rows, 'symbol', unitsOf, takeTicker);
export const decodeTickerVolumes = contractRows(rows, 'symbol', unitsOf, tickers(VOLUMES));

const onePrice = (take: RowDecoder): Decoder => contractRows(objectIn(open), 'symbol', unitsOf, take);
export const decodeIndexPrice = onePrice(ofIndex({ indexPrice: required(price('indexPrice')) }));
export const decodeFairPrice = onePrice(quotes({ markPrice: required(price('fairPrice')) }));

/** Newest first. */
export const decodeFundingHistory = contractRows(
  rows,
  'symbol',
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('settleTime'),
    rate: rate('fundingRate'),
    // Old rows lack it.
    intervalHours: hours('collectCycle'),
  }),
);

export const decodeCandles = (key: 'markPrice' | 'indexPrice'): Decoder =>
  requestedRows(
    columnsIn(open, ['time', 'open']),
    requested(),
    unitsOf,
    priceSeries(STAMPS.price, ms('time', SECONDS), key, price('open')),
  );

/** Values that are pushed when they are computed; the stamp of the push is theirs. */
const stamped = (table: QuoteTable): QuoteTable => ({ ...table, venueTime: ms('pushedAt') });

/** Channels of one contract's quotes. */
export const QUOTE_CHANNELS: Readonly<Record<string, RowDecoder>> = {
  'push.ticker': takeTicker,
  'push.index.price': ofIndex(stamped({ indexPrice: required(price('price')) })),
  'push.fair.price': quotes(stamped({ markPrice: required(price('price')) })),
  'push.funding.rate': quotes(
    stamped({ fundingRate: required(rate('rate')), nextFundingTime: ms('nextSettleTime') }),
  ),
};
