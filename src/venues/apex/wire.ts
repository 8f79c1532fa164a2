import type { Published } from '../../domain/amount.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readIso, readMs, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { Reject, RejectReason } from '../../domain/reject.ts';
import { asHours, type UnixMs } from '../../domain/units.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { envelope, objectIn, rowsIn } from '../grammar/answer.ts';
import { addContracts, type ContractTable } from '../grammar/contract.ts';
import { type ContractRow, derived, field, price, rate, SECONDS } from '../grammar/field.ts';
import { settledRates } from '../grammar/history.ts';
import { amount, type QuoteTable, quoteChanges, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, type SymbolOf } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { nextHour } from '../hour.ts';
import { isStated, put } from '../quote-field.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'v3/ticker `openInterest`',
    unit: 'base',
    sides: 'unknown',
    evidence: 'too few public values to tell',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'v3/ticker `turnover24h`',
    unit: 'quote',
    sides: 'one',
    evidence: 'recorded odd count of lots in `volume24h`: 169.317',
    date: '2026-05',
    confidence: 'medium',
  },
  verified: {
    version: 'omni v3',
    date: '2026-09-28',
    source: 'public decoder tests with frames of that day; ccxt 4.5.84',
  },
};

/** A hundred history rows lie exactly an hour apart. */
const INTERVAL = asHours(1);

/** The venue writes `BTCUSDT` in tickers and books, `BTC-USDT` in history and in `instrumentInfo.all`. */
export const { baseOf, unitsOf } = symbols(
  // Only prediction markets have an underscore: `Team_A_Wins_Dec2USDT`.
  { linear: /^([^_]+?)-?USDT$/, others: [[/_/, 'not_listed']], rest: 'foreign_quote' },
  1,
);

/** The contract as tickers and books spell it. */
export const joined =
  (name: string): SymbolOf =>
  (wire) =>
    readText(wire[name])?.replace('-', '');

export const open = envelope({ isSuccess: (code) => Number(code) === 0 });

/**
 * The venue's application shows a contract and opens positions in it only where both are set; rows of older
 * payloads state `enableTrade` alone.
 */
const SWITCHES = ['enableDisplay', 'enableOpenPosition'] as const;

/** Times of a contract's end are in ms or in s, even in one row: neither can be taken for the other. */
const readTime = (raw: unknown): UnixMs | undefined => readMs(raw) ?? readMs(raw, SECONDS);

function leftOut(
  wire: Wire,
  symbol: string,
  { receivedAt: now }: DecodeContext,
): Reject | RejectReason | undefined {
  if (wire.settleAssetId !== 'USDT') return 'foreign_quote';
  if (wire.enableTrade !== true) return 'not_trading';
  if ((wire.isPrelaunch ?? false) !== false) return 'prelisting';
  const off = SWITCHES.find((name) => (wire[name] ?? true) !== true);
  if (off !== undefined) return { symbol, reason: 'not_trading', detail: off };
  const closing = readTime(wire.disableOpenPositionTime);
  const isClosing = closing !== undefined && now !== undefined && closing <= now;
  return isClosing ? { symbol, reason: 'not_trading', detail: 'disableOpenPositionTime' } : undefined;
}

const COIN: ContractTable = {
  venue: 'apex',
  symbol: 'crossSymbolName',
  leftOut,
  base: field('baseTokenId', (raw, { symbol }) => readText(raw) ?? baseOf(symbol)),
  quote: 'USDT',
  contractSize: 1,
  fundingIntervalHours: INTERVAL,
  altId: field('symbol', (raw, { symbol }) => readText(raw) ?? symbol),
  terms: TERMS,
};

const CLASSES: Readonly<Record<string, AssetClass>> = {
  STOCK: 'equity',
  INDEX: 'index',
  COMMODITY: 'commodity',
};

/** A stock contract without a known category is known to be no coin. */
const STOCK: ContractTable = {
  ...COIN,
  assetClass: derived(({ wire }) => CLASSES[String(wire.category)] ?? 'unknown'),
};
const PRELAUNCH: ContractTable = { ...COIN, leftOut: () => 'prelisting' };

const coinsIn = rowsIn((config) => config, { list: 'perpetualContract' });

/**
 * Enabled USDT perpetuals of coins and, in a list of their own, of stocks, indices and commodities. Contracts before
 * their launch are rejects, the prediction markets one together.
 */
export const decodeSymbols: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const data = open(payload, out);
  if (out.rejects.length > 0) return out;
  const config = isWire(data) && isWire(data.contractConfig) ? data.contractConfig : data;
  const lists: Wire = isWire(config) ? config : {};
  addContracts(coinsIn(config, out), COIN, context, out);
  addContracts(wireArray(lists.stockContract) ?? [], STOCK, context, out);
  addContracts(wireArray(lists.prelaunchContract) ?? [], PRELAUNCH, context, out);
  const predictions = wireArray(lists.predictionContract)?.length ?? 0;
  if (predictions > 0)
    out.rejects.push({ symbol: null, reason: 'not_listed', detail: `${predictions} prediction markets` });
  return out;
};

const isClock = (raw: unknown): boolean => typeof raw === 'string' && /^\d{1,2}:\d\d/.test(raw);

/** The coming settlement; an old form of the field is a bare clock time, of which the full hour is meant. */
function addSettlement(patch: QuotePatch, { wire, context }: ContractRow, rejects: Reject[]): void {
  if (patch.fundingRate === undefined) return;
  patch.fundingIntervalHours = INTERVAL;
  const raw = isClock(wire.nextFundingTime) ? undefined : wire.nextFundingTime;
  const next = isStated(raw) ? readIso(raw) : nextHour(context.receivedAt);
  put(patch, 'nextFundingTime', next, raw, rejects);
}

/**
 * A ticker with long names (REST and `instrumentInfo.H`). `fundingRate` is the running estimate of the coming settlement;
 * `predictedFundingRate` is the interest alone, the same on every contract (VENUE.md).
 */
const TICKER: QuoteTable = {
  fundingRate: rate('fundingRate'),
  markPrice: price('markPrice'),
  indexPrice: price('indexPrice'),
  openInterest: amount(PUBLISHED.openInterest, { base: 'openInterest' }),
  volume24h: amount(PUBLISHED.volume, { base: 'volume24h', quote: 'turnover24h' }),
};
export const takeTicker = quotes(TICKER, addSettlement);
export const takeTickerChange = quoteChanges(TICKER, addSettlement);

export const decodeTicker = contractRows(
  rowsIn(open, { row: 'symbol' }),
  joined('symbol'),
  unitsOf,
  takeTicker,
);

/** All tickers in one answer, read by a table of its own beside the one that reads the row. */
export const decodeAllTickers = contractRows(
  rowsIn(open),
  joined('symbol'),
  unitsOf,
  quotes({
    fundingRate: rate('fundingRate'),
    fundingIntervalHours: derived(() => INTERVAL),
    nextFundingTime: field('nextFundingTime', (raw) => readIso(raw)),
    markPrice: price('markPrice'),
    indexPrice: price('indexPrice'),
    openInterest: amount(PUBLISHED.openInterest, { base: 'openInterest' }),
    volume24h: amount({ ...PUBLISHED.volume, unit: 'base' }, { base: 'volume24h' }),
  }),
);

const takeShortRow = quotes(
  {
    fundingRate: rate('fr'),
    markPrice: price('mp'),
    indexPrice: price('xp'),
    openInterest: amount(PUBLISHED.openInterest, { base: 'o' }),
    volume24h: amount(PUBLISHED.volume, { base: 'v', quote: 'to' }),
  },
  (patch) => {
    if (patch.fundingRate !== undefined) patch.fundingIntervalHours = INTERVAL;
  },
);

/**
 * A row of `instrumentInfo.all` has short keys and no next settlement. The topic repeats disabled contracts as
 * well, whose rate is blank: without a list nothing else tells them.
 */
export const takeShort: RowDecoder = (row, out) => {
  const { wire, symbol, context } = row;
  if (wire.fr !== '' || context.instruments.has(symbol)) takeShortRow(row, out);
  else out.rejects.push({ symbol, reason: 'not_listed', detail: 'no rate' });
};

/** Hourly rates paid. */
export const decodeFundingHistory = contractRows(
  rowsIn(open, { list: 'historyFunds' }),
  joined('symbol'),
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: field('fundingTimestamp', (raw, { wire }) => readMs(raw) ?? readMs(wire.fundingTime)),
    rate: rate('rate'),
    intervalHours: derived(() => INTERVAL),
  }),
);

export const bookIn = objectIn(open);
