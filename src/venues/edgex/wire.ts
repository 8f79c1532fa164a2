import type { Published } from '../../domain/amount.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import {
  isWire,
  readHours,
  readMs,
  readNumber,
  readRate,
  readText,
  type Wire,
  wireArray,
} from '../../domain/read.ts';
import { asMs, type Price, type RatePerInterval } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { envelope, rejectShape, rowsIn } from '../grammar/answer.ts';
import { addContracts, type ContractTable } from '../grammar/contract.ts';
import {
  bound,
  type ContractRow,
  derived,
  type Field,
  field,
  hours,
  IN_MINUTES,
  ms,
  price,
  rate,
  where,
} from '../grammar/field.ts';
import { settledRates } from '../grammar/history.ts';
import { amount, type QuoteTable, quoteReader, quotes } from '../grammar/quote.ts';
import { type RowDecoder, takeEach } from '../grammar/rows.ts';
import { symbolOfId, symbols } from '../grammar/symbols.ts';
import { readTakerFeeBps } from '../taker-fee.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'getTicker `openInterest`',
    unit: 'base',
    sides: 'one',
    evidence: 'public odd count of lots: 663.83 NVDA',
    date: '2026-09-28',
    confidence: 'medium',
  },
  volume: {
    field: 'getTicker `value`',
    unit: 'quote',
    sides: 'one',
    evidence: 'public odd count of lots in `size`: 2309.03',
    date: '2026-09-28',
    confidence: 'medium',
  },
  verified: {
    version: 'V2 hosts',
    date: '2026-09-28',
    source: 'public decoder tests with rows and frames of that day; edgex-python-sdk, DefiLlama',
  },
};

/** Base of `BTCUSDC`; undefined for a bare contract number. */
export const baseOf = (symbol: string): string | undefined => /^(.+?)USD[CT]?$/.exec(symbol)?.[1];

/** Without a list a contract number can only stand for itself. */
export const { unitsOf } = symbols({ linear: /^(.+?)(?:USD[CT]?)?$/, rest: 'not_listed' }, 1);

/** Any code but SUCCESS is an error, also inside HTTP 200. */
const open = envelope({ isSuccess: (code) => code === 'SUCCESS' });

/** A number of a contract or a coin: text in recordings, a number in the documents of the socket. */
function readId(raw: unknown): string | undefined {
  const isNumber = typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0;
  return isNumber ? String(raw) : readText(raw);
}

/** The contract of a row, by its number; the number itself as long as neither a list nor the row states a name. */
export function contractOf({ contractId, contractName }: Wire, context: DecodeContext): string | undefined {
  const id = readId(contractId);
  return id === undefined ? undefined : (symbolOfId(id, context) ?? readText(contractName) ?? id);
}

/** Takes one row or a list of them; rows name their contract by number, some by name too. */
export function takeRows(data: unknown, context: DecodeContext, out: Decoded, take: RowDecoder): void {
  takeEach(wireArray(data) ?? [data], contractOf, unitsOf, context, out, take);
}

/** @param list field of the rows, where the data is no list */
export const each =
  (take: RowDecoder, list = 'dataList'): Decoder =>
  (payload, context) => {
    const out = emptyDecoded();
    takeRows(rowsIn(open, { list, row: 'contractId' })(payload, out), context, out, take);
    return out;
  };

const classOf = ({ isStock, isFx }: Wire): AssetClass | undefined => {
  if (isStock === true) return 'equity';
  return isFx === true ? 'fx' : undefined;
};

/** Enabled contracts quoted in USDC. @param names of the coins by their numbers */
function contractTable(names: ReadonlyMap<string | undefined, string>): ContractTable {
  return {
    venue: 'edgex',
    symbol: 'contractName',
    leftOut: (wire, symbol) => {
      const quote = names.get(readId(wire.quoteCoinId));
      if (readId(wire.contractId) === undefined) return fieldFault(symbol, 'contractId', wire.contractId);
      if (quote === undefined) return fieldFault(symbol, 'quoteCoinId', wire.quoteCoinId);
      if (quote !== 'USDC') return { symbol, reason: 'foreign_quote', detail: quote };
      const isOpen =
        wire.enableTrade === true && wire.enableDisplay === true && wire.enableOpenPosition !== false;
      return isOpen ? undefined : 'not_trading';
    },
    base: field('baseCoinId', (raw, { symbol }) => names.get(readId(raw)) ?? baseOf(symbol)),
    quote: 'USDC',
    contractSize: 1,
    assetClass: derived(({ wire }) => classOf(wire)),
    fundingIntervalHours: hours('fundingRateIntervalMin', IN_MINUTES),
    fundingCap: bound('fundingMaxRate'),
    fundingFloor: bound('fundingMinRate'),
    altId: field('contractId', readId),
    takerFeeBps: field('defaultTakerFeeRate', readTakerFeeBps),
    terms: TERMS,
  };
}

function coinNames({ coinList }: Wire): ReadonlyMap<string | undefined, string> {
  const names = new Map<string | undefined, string>();
  for (const coin of wireArray(coinList) ?? []) {
    const { coinId, coinName }: Wire = isWire(coin) ? coin : {};
    const id = readId(coinId);
    const name = readText(coinName);
    if (id !== undefined && name !== undefined) names.set(id, name);
  }
  return names;
}

/** The base of a contract is named by the list of coins. */
export const decodeMetaData: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const data = open(payload, out);
  const rows = isWire(data) ? wireArray(data.contractList) : undefined;
  if (isWire(data) && rows !== undefined) addContracts(rows, contractTable(coinNames(data)), context, out);
  else if (out.rejects.length === 0) rejectShape(out, 'no contractList');
  return out;
};

/** The mark, or the signed oracle price where there is none. */
const MARK: Field<Price> = {
  ...price('markPrice'),
  raw: ({ markPrice, oraclePrice }) => markPrice ?? oraclePrice,
};

const intervalOf = ({ fundingRateIntervalMin: minutes }: Wire) => readHours(minutes, IN_MINUTES);

/** An interval after the last settlement, where the interval is known. */
const NEXT = where(
  ({ wire }) => readMs(wire.fundingTime) === undefined || intervalOf(wire) !== undefined,
  field('fundingTime', (raw, { wire }) => {
    const settled = readMs(raw);
    const interval = intervalOf(wire);
    return settled === undefined || interval === undefined ? undefined : asMs(settled + interval * HOUR_MS);
  }),
);

const hasForecast = ({ forecastFundingRate }: Wire): boolean => (forecastFundingRate ?? '') !== '';

/**
 * `forecastFundingRate` is what the next settlement will charge; it is empty in the minute of settlement, when
 * `fundingRate` stands in and is marked. `fundingTime` is the LAST settlement. `predictedFundingRate` is no
 * prediction (interest over frequency) and is not read.
 */
export const decodeLatestFunding = each(
  quotes({
    fundingRate: field('forecastFundingRate', (raw, { wire }): RatePerInterval | undefined =>
      readRate(hasForecast(wire) ? raw : wire.fundingRate),
    ),
    rateSettled: derived(({ wire }) =>
      hasForecast(wire) ? false : readRate(wire.fundingRate) !== undefined || undefined,
    ),
    fundingIntervalHours: hours('fundingRateIntervalMin', IN_MINUTES),
    nextFundingTime: NEXT,
    markPrice: MARK,
    indexPrice: price('indexPrice'),
    venueTime: ms('fundingTimestamp'),
  }),
);

const isOpen = ({ wire }: ContractRow): boolean => wire.marketOpen !== false;

const TICKER: QuoteTable = {
  fundingRate: rate('fundingRate'),
  nextFundingTime: ms('nextFundingTime'),
  markPrice: MARK,
  indexPrice: price('indexPrice'),
  bestBid: where(isOpen, price('bestBidPrice')),
  bestAsk: where(isOpen, price('bestAskPrice')),
  openInterest: amount(PUBLISHED.openInterest, { base: 'openInterest' }),
  volume24h: amount(PUBLISHED.volume, { base: 'size', quote: 'value' }),
  marketOpen: field('marketOpen', (raw) => (typeof raw === 'boolean' ? raw : undefined)),
};
const readTicker = quoteReader(TICKER);

/** As the test network names it; both are in use. */
const readTestTicker = quoteReader({
  ...TICKER,
  volume24h: amount(PUBLISHED.volume, { base: 'volume', quote: 'value' }),
});

/** Prices of a contract that never traded are 0, though its index has a value; rows of the touch state no last price. */
const isUntraded = ({ lastPrice, markPrice, oraclePrice }: Wire): boolean =>
  [lastPrice, markPrice, oraclePrice ?? 0].every((stated) => readNumber(stated) === 0);

/** A ticker of REST or of `ticker.all.1s`; its rate is the running forecast. */
export const takeTicker: RowDecoder = (row, out) => {
  const read = row.wire.size === undefined ? readTestTicker : readTicker;
  const patch = read(row, out.rejects);
  if (Object.keys(patch).length > 1 && !isUntraded(row.wire)) out.quotes.push(patch);
  else out.rejects.push({ symbol: row.symbol, reason: 'placeholder', detail: 'no price' });
};
export const decodeTicker = each(takeTicker);

const takeSettled = settledRates({
  stamp: STAMPS.funding,
  time: ms('fundingTime'),
  rate: rate('fundingRate'),
  intervalHours: hours('fundingRateIntervalMin', IN_MINUTES),
});

/** With the settlement filter; per-minute previews among the rows are left out. */
export const decodeFundingPage = each((row, out) => {
  if (row.wire.isSettlement !== false) takeSettled(row, out);
});
