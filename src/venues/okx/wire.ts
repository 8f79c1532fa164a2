import type { Published } from '../../domain/amount.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass, Instrument } from '../../domain/instrument.ts';
import { isWire, readBase, readMs, readNumber, readPrice, readText, type Wire } from '../../domain/read.ts';
import type { RejectReason } from '../../domain/reject.ts';
import { asHours, type Hours } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { StatedAmount } from '../amounts.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { envelope, rowsIn } from '../grammar/answer.ts';
import { type ContractTable, contractList } from '../grammar/contract.ts';
import {
  bound,
  type ContractRow,
  derived,
  type Field,
  field,
  listing,
  ms,
  price,
  rate,
  required,
  text,
} from '../grammar/field.ts';
import { openInterestSeries, priceSeries, settledRates, tradedHours } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import {
  contractRows,
  type RowDecoder,
  type RowsOf,
  requested,
  requestedRows,
  takeEach,
} from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { isStated } from '../quote-field.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'public/open-interest `oi`',
    unit: 'contracts',
    sides: 'one',
    evidence:
      'public fifteen-minute record of raw BTC open interest, September and October 2026: 13 of 34 counts odd',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'market/tickers `vol24h`',
    unit: 'contracts',
    sides: 'one',
    evidence: 'recorded odd count: 289425 contracts of UNI-USD-SWAP',
    date: '2022-05',
    confidence: 'high',
  },
  verified: {
    version: 'v5',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); changelog of 2026-05-20 keeps www.okx.com; sockets on 443, since 8443 closed on 2026-10-31 (siebly.hashnode.dev; ccxt 4.5.86 of 2026-10-13 moved to 443)',
  },
};

/** `BTC-USDT-SWAP`; others are `BTC-USD-SWAP`, `BTC-USDT-220624`, `BTC-USD-220624-30000-C`, `BTC-USDT`. */
export const { baseOf, unitsOf } = symbols({
  linear: /^(.+)-USD[TC]-SWAP$/,
  others: [
    [/-USD-SWAP$/, 'inverse'],
    [/-SWAP$/, 'foreign_quote'],
    [/-[CP]$/, 'option'],
    [/-\d{6}$/, 'dated'],
    [/^[^-]+-[^-]+$/, 'spot'],
  ],
  rest: 'not_listed',
});

/** Errors are `{code, msg, data: []}`. */
export const rows = rowsIn(envelope({ isSuccess: (code) => readNumber(code) === 0 }));

const TYPES: Readonly<Record<string, RejectReason>> = {
  FUTURES: 'dated',
  OPTION: 'option',
  SPOT: 'spot',
  MARGIN: 'spot',
};
const STATES: Readonly<Record<string, RejectReason>> = {
  preopen: 'prelisting',
  expired: 'delisted',
  settling: 'delisted',
};
const CLASSES: Readonly<Record<string, AssetClass>> = { 1: 'crypto', 3: 'equity', 4: 'commodity', 5: 'fx' };

/** The index that a swap follows, `BTC-USDT`, which names its base and quote. */
const indexOf = ({ uly, instFamily }: Wire): string | undefined => readText(uly) ?? readText(instFamily);
const partOfIndex = (at: 0 | 1): Field<string> => ({
  name: 'uly, instFamily',
  raw: indexOf,
  read: (_, { wire }) => readText(indexOf(wire)?.split('-', 2)[at]),
});

/** Rows of contracts that are not open yet have nearly all fields empty, so the state is read first. */
function leftOut(wire: Wire, symbol: string) {
  const { instType: type, state, ctType: kind, settleCcy } = wire;
  if (readText(type) === undefined) return 'missing_field';
  if (type !== 'SWAP') return TYPES[String(type)] ?? 'not_trading';
  if (state !== 'live') return STATES[String(state)] ?? 'not_trading';
  if (readText(kind) === undefined) return 'missing_field';
  if (kind !== 'linear') return 'inverse';
  const settle = readText(settleCcy);
  if (settle !== undefined && settle !== 'USDT' && settle !== 'USDC')
    return { symbol, reason: 'foreign_quote', detail: settle } as const;
  const base = indexOf(wire)?.split('-', 1)[0];
  return base === undefined || base === wire.ctValCcy ? undefined : 'unknown_unit';
}

const CONTRACT: ContractTable = {
  venue: 'okx',
  symbol: 'instId',
  leftOut,
  base: partOfIndex(0),
  quote: partOfIndex(1),
  settle: text('settleCcy'),
  listedAt: listing('listTime'),
  // In units of `ctValCcy`, which for linear swaps is the base coin.
  contractSize: field('ctVal', (raw, { wire }) => {
    const size = (readNumber(raw) ?? 0) * (readNumber(wire.ctMult) ?? 0);
    return size > 0 && size <= 1e12 ? size : undefined;
  }),
  indexId: derived(({ wire }) => indexOf(wire)),
  terms: TERMS,
  assetClass: field('instCategory', (raw, { wire }) =>
    wire.ruleType === 'pre_market' ? 'prelaunch' : CLASSES[String(raw)],
  ),
};

const isNameless = (row: unknown): boolean =>
  isWire(row) && row.state === 'preopen' && readText(row.instId) === undefined;

/** Some contracts that are not open yet have not even a name. */
const named: RowsOf = (payload, out) =>
  rows(payload, out).filter((row) => {
    if (isNameless(row)) out.rejects.push({ symbol: null, reason: 'placeholder' });
    return !isNameless(row);
  });
export const decodeInstruments = contractList(named, CONTRACT);

/** Whole hours from one settlement to another. */
function hoursBetween(earlier: unknown, later: unknown): Hours | undefined {
  const from = readMs(earlier);
  const to = readMs(later);
  const hours = from === undefined || to === undefined ? 0 : (to - from) / HOUR_MS;
  return Number.isInteger(hours) && hours >= 1 && hours <= 24 ? asHours(hours) : undefined;
}

/**
 * The rate is of the period that ends at `fundingTime`. Rows of before 2026-07 do not say where it began: the period
 * after it is as long, except around a change of the interval.
 */
const interval = (
  next: unknown,
  { wire: { prevFundingTime, fundingTime } }: ContractRow,
): Hours | undefined => hoursBetween(prevFundingTime, fundingTime) ?? hoursBetween(fundingTime, next);

/** The volume in the quote currency is coins x last price of the same row. */
function traded({ wire, units }: ContractRow): StatedAmount {
  const { vol24h: contracts, volCcy24h: base } = wire;
  const { multiplier, perContract } = units;
  const inContracts = perContract === undefined ? undefined : readBase(contracts, perContract);
  const coins = readBase(base, multiplier) ?? inContracts;
  const last = readPrice(wire.last, multiplier);
  // A last price that cannot be read makes the volume in dollars a fault.
  const price = last ?? (isStated(wire.last) ? Number.NaN : undefined);
  return { contracts, base, quote: coins === undefined || price === undefined ? undefined : coins * price };
}

/** Open interest in contracts, coins and, where the answer has it, USD. */
const OPEN_INTEREST = required(
  amount(PUBLISHED.openInterest, { contracts: 'oi', base: 'oiCcy', quote: 'oiUsd' }),
);

/** Calls and channels of quotes, which have the same rows. */
export const QUOTES = {
  'funding-rate': quotes({
    // Absent or "" on new listings.
    fundingRate: rate('fundingRate'),
    // Charged at `fundingTime`; `nextFundingTime` is the settlement after it.
    nextFundingTime: required(ms('fundingTime')),
    fundingIntervalHours: required(field('nextFundingTime', interval)),
    fundingCap: bound('maxFundingRate'),
    fundingFloor: bound('minFundingRate'),
  }),
  'mark-price': quotes({ markPrice: required(price('markPx')) }),
  'open-interest': quotes({ openInterest: OPEN_INTEREST }),
  // An empty side of the book is stated as "".
  tickers: quotes({
    volume24h: required(amount(PUBLISHED.volume, traded)),
    bestBid: price('bidPx'),
    bestAsk: price('askPx'),
  }),
} satisfies Readonly<Record<string, RowDecoder>>;

export const decodeQuotes = (take: RowDecoder): Decoder => contractRows(rows, 'instId', unitsOf, take);

/** Swaps by index id, built once for a list of contracts. */
const swapsByIndex = new WeakMap<ReadonlyMap<string, Instrument>, ReadonlyMap<string, readonly string[]>>();

function swapsOf(instruments: ReadonlyMap<string, Instrument>): ReadonlyMap<string, readonly string[]> {
  const known = swapsByIndex.get(instruments);
  if (known !== undefined) return known;
  const built = new Map<string, string[]>();
  for (const { symbol, indexId = '' } of instruments.values())
    built.set(indexId, [...(built.get(indexId) ?? []), symbol]);
  swapsByIndex.set(instruments, built);
  return built;
}

/** Swaps that an index prices; without a list, the swap of the same name where its quote is linear. */
function followers(indexId: string, { instruments }: DecodeContext): readonly string[] {
  if (instruments.size > 0) return swapsOf(instruments).get(indexId) ?? [];
  const swap = `${indexId}-SWAP`;
  return baseOf(swap) === undefined ? [] : [swap];
}

const takeIndex = quotes({ indexPrice: required(price('idxPx')) });

/** Rows of `index-tickers`, keyed by index id (`BTC-USDT`), never by the swap's own. */
export function takeIndexTickers(found: readonly unknown[], context: DecodeContext, out: Decoded): void {
  for (const row of found) {
    const indexId = isWire(row) ? readText(row.instId) : undefined;
    const swaps = indexId === undefined ? [] : followers(indexId, context);
    if (!isWire(row) || indexId === undefined)
      out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
    else if (swaps.length === 0) out.rejects.push({ symbol: indexId, reason: 'not_listed' });
    else
      takeEach(
        swaps.map((swap) => ({ ...row, instId: swap })),
        'instId',
        unitsOf,
        context,
        out,
        takeIndex,
      );
  }
}
export const decodeIndexTickers: Decoder = (payload, context) => {
  const out = emptyDecoded();
  takeIndexTickers(rows(payload, out), context, out);
  return out;
};

/** `realizedRate` is what was charged, `fundingRate` what was announced. */
export const decodeFundingHistory = contractRows(
  rows,
  'instId',
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('fundingTime'),
    rate: rate('realizedRate'),
  }),
);

/** Rows that do not name their contract: the request does. */
const historyRows = (take: RowDecoder): Decoder => requestedRows(rows, requested('instId'), unitsOf, take);

/** `[ts, open, …]`, newest first; the eighth cell of a candle of trades is the turnover in the quote currency. */
export const decodeMarkCandles = historyRows(priceSeries(STAMPS.price, ms(0), 'markPrice', price(1)));
export const decodeHourCandles = historyRows(tradedHours(STAMPS.volume, ms(0), PUBLISHED.volume, 7));

/** `[ts, contracts, coins, USD]`. */
export const decodeOpenInterestHistory = historyRows(
  openInterestSeries(
    STAMPS.openInterest,
    ms(0),
    amount(PUBLISHED.openInterest, { contracts: '1', base: '2', quote: '3' }),
  ),
);

/** Sums over all contracts of a coin, dated ones included: no contract of ours. */
export const decodeCoinTotals: Decoder = (payload) => {
  const out = emptyDecoded();
  rows(payload, out);
  if (out.rejects.length === 0)
    out.rejects.push({ symbol: null, reason: 'not_listed', detail: 'sum over all contracts of a coin' });
  return out;
};
