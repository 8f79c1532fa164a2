import type { Published } from '../../domain/amount.ts';
import type { Wire } from '../../domain/read.ts';
import { errorText } from '../error-text.ts';
import { envelope, rowsIn } from '../grammar/answer.ts';
import { type ContractTable, contractList } from '../grammar/contract.ts';
import { bound, derived, hours, ms, price, rate, required } from '../grammar/field.ts';
import { settledRates } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'v1/public/futures `open_interest`',
    unit: 'base',
    sides: 'one',
    evidence:
      "OrderlyNetwork/js-sdk describes open interest as each side's size and shows this field x index without a factor",
    date: '2026-08-21',
    confidence: 'high',
  },
  volume: {
    field: 'v1/public/futures `24h_amount`',
    unit: 'quote',
    sides: 'one',
    evidence: 'assumed: nothing public speaks against it',
    date: '2026-10',
    confidence: 'low',
  },
  verified: {
    version: 'v1, host ws-evm.orderly.org',
    date: '2026-09-23',
    source:
      'probe (nemanull/arbitrage-observatory, profiles/niza); OrderlyNetwork/documentation-public of 2026-08-21',
  },
};

/** `PERP_BTC_USDC`; a fourth part names the builder whose own market it is. */
export const { baseOf, reasonOf, unitsOf } = symbols(
  { linear: /^PERP_([A-Z0-9]+)_USDC$/, others: [[/^SPOT_/, 'spot']], rest: 'not_listed' },
  1,
);

export const open = envelope({
  code: 'success',
  isSuccess: (success) => success === true,
  message: ({ code, message }) => errorText(code, message),
});
const rows = rowsIn(open, { list: 'rows', row: 'symbol' });

function leftOut({ broker_id: builder, status }: Wire, symbol: string) {
  if (baseOf(symbol) === undefined) return reasonOf(symbol);
  if ((builder ?? null) !== null) return 'not_listed';
  return status === 'ACTIVE' ? undefined : 'not_trading';
}

const CONTRACT: ContractTable = {
  venue: 'orderly',
  symbol: 'symbol',
  leftOut,
  base: derived(({ symbol }) => baseOf(symbol)),
  quote: 'USDC',
  contractSize: 1,
  assetClass: derived(({ wire }) => (wire.is_pretge === true ? 'prelaunch' : undefined)),
  fundingCap: bound('cap_funding'),
  fundingFloor: bound('floor_funding'),
  fundingIntervalHours: required(hours('funding_period')),
  terms: TERMS,
};
export const decodeInfo = contractList(rows, CONTRACT);

/** The rate predicted for the next settlement. */
const FUNDING = { fundingRate: rate('est_funding_rate'), nextFundingTime: ms('next_funding_time') };
export const decodeFundingRates = contractRows(rows, 'symbol', unitsOf, quotes(FUNDING));

/** The answer's timestamp is the server's clock, no freshness stamp of a row. */
export const decodeFutures = contractRows(
  rows,
  'symbol',
  unitsOf,
  quotes({
    ...FUNDING,
    markPrice: price('mark_price'),
    indexPrice: price('index_price'),
    openInterest: amount(PUBLISHED.openInterest, { base: 'open_interest' }),
    volume24h: amount(PUBLISHED.volume, { base: '24h_volume', quote: '24h_amount' }),
  }),
);

/** Newest first. */
export const decodeFundingHistory = contractRows(
  rows,
  'symbol',
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('funding_rate_timestamp'),
    rate: rate('funding_rate'),
  }),
);

const takeMark = quotes({ markPrice: price('price') });
const takeIndex = quotes({ indexPrice: price('price') });
const takeTouch = quotes({ bestBid: price('bid'), bestAsk: price('ask') });
const takeDay = quotes({ volume24h: amount(PUBLISHED.volume, { base: 'volume', quote: 'amount' }) });

/** Topics of one symbol (`PERP_BTC_USDC@bbo`) and of all (`bbos`), by what follows the symbol. */
export const QUOTE_TOPICS: Readonly<Record<string, RowDecoder>> = {
  markprice: takeMark,
  markprices: takeMark,
  indexprice: takeIndex,
  indexprices: takeIndex,
  openinterest: quotes({ openInterest: amount(PUBLISHED.openInterest, { base: 'openInterest' }) }),
  estfundingrate: quotes({ fundingRate: rate('fundingRate'), nextFundingTime: ms('fundingTs') }),
  bbo: takeTouch,
  bbos: takeTouch,
  ticker: takeDay,
  tickers: takeDay,
};
