import type { Published } from '../../domain/amount.ts';
import type { Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { asBps } from '../../domain/units.ts';
import { envelope, objectIn, rowsIn } from '../grammar/answer.ts';
import { arrayLevels, book } from '../grammar/book.ts';
import { type ContractTable, contractList, contractSize, ownTakerFee } from '../grammar/contract.ts';
import { derived, hours, IN_MINUTES, ms, number, price, rate, required } from '../grammar/field.ts';
import { settledRates } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { contractRows, requested, requestedRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'tickers `openInterest`',
    unit: 'contracts',
    sides: 'unknown',
    evidence: 'where the sides are known from',
    date: '2026-11',
    confidence: 'low',
  },
  volume: {
    field: 'tickers `volume`',
    unit: 'contracts',
    sides: 'unknown',
    evidence: 'where the sides are known from',
    date: '2026-11',
    confidence: 'low',
  },
  verified: { version: 'v1', date: '2026-11-22', source: 'where the address is known from' },
};

export const TAKER_FEE = asBps(5);

/**
 * `BTC-USDT-PERP` is ours; `BTC-USDT-251226` is dated, `BTC-USD-PERP` inverse. Sizes count contracts, of which only the
 * list of contracts states the size; where they count base units, a 1 stands behind.
 */
export const { baseOf, reasonOf, unitsOf } = symbols({
  linear: /^(.+)-USDT-PERP$/,
  others: [[/-USD-PERP$/, 'inverse']],
  rest: 'dated',
});

const open = envelope({ isSuccess: (code) => code === 0, message: 'message' });

const DEAD: Readonly<Record<string, OutOfScopeReason>> = { delisted: 'delisted', announced: 'prelisting' };

/** By the venue's own type and status, never by values. */
function leftOut({ type, settle, status }: Wire, symbol: string): OutOfScopeReason | undefined {
  if (baseOf(symbol) === undefined) return reasonOf(symbol);
  if (type !== 'perpetual') return 'dated';
  if (settle !== 'USDT') return 'foreign_quote';
  return status === 'trading' ? undefined : (DEAD[String(status)] ?? 'not_trading');
}

/** All contracts of all kinds; the fee is a fraction. */
const CONTRACT: ContractTable = {
  venue: 'template',
  symbol: 'symbol',
  leftOut,
  base: derived(({ symbol }) => baseOf(symbol)),
  quote: 'USDT',
  contractSize: contractSize('contractSize'),
  fundingIntervalHours: hours('fundingIntervalMinutes', IN_MINUTES),
  takerFeeBps: ownTakerFee('takerFee', TAKER_FEE),
  terms: TERMS,
};
export const decodeInstruments = contractList(rowsIn(open, { isComplete: true }), CONTRACT);

/** Every metric of every contract that trades. The mark stands before the amounts, which it turns into dollars. */
export const decodeTickers = contractRows(
  rowsIn(open, { isComplete: true }),
  'symbol',
  unitsOf,
  quotes({
    fundingRate: required(rate('fundingRate')),
    nextFundingTime: ms('nextFundingTime'),
    markPrice: required(price('markPrice')),
    indexPrice: price('indexPrice'),
    bestBid: price('bid'),
    bestAsk: price('ask'),
    openInterest: amount(PUBLISHED.openInterest, { contracts: 'openInterest' }),
    volume24h: amount(PUBLISHED.volume, { contracts: 'volume', quote: 'turnover' }),
  }),
);

/** Settled rates; the answer does not repeat the symbol. */
export const decodeFundingHistory = requestedRows(
  rowsIn(open),
  requested(),
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('time'),
    rate: rate('rate'),
  }),
);

/** A snapshot. */
export const decodeBook = contractRows(
  objectIn(open),
  'symbol',
  unitsOf,
  book(
    {
      bids: arrayLevels('bids'),
      asks: arrayLevels('asks'),
      sequence: number('sequence'),
      venueTime: ms('time'),
    },
    'snapshot',
  ),
);
