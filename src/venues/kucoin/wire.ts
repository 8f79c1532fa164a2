import type { Published } from '../../domain/amount.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import { readMs, readNumber, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject, RejectReason } from '../../domain/reject.ts';
import { asBps, asMs, type Hours, type Price, type UnixMs } from '../../domain/units.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import type { Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { envelope, objectIn, rowsIn } from '../grammar/answer.ts';
import { type ContractTable, contractSize, contractsWithQuotes, ownTakerFee } from '../grammar/contract.ts';
import {
  bound,
  type ContractRow,
  type Field,
  field,
  hours,
  IN_MILLISECONDS,
  listing,
  ms,
  price,
  rate,
  required,
  SECONDS,
  text,
  where,
} from '../grammar/field.ts';
import { openInterestSeries, priceSeries, settledRates } from '../grammar/history.ts';
import { amount, type QuoteTable, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, requested, requestedRows, takeEach } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { onGrid } from '../hour.ts';
import { isStated } from '../quote-field.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'ua/v2/market/open-interest `openInterest`',
    unit: 'contracts',
    sides: 'one',
    evidence:
      '10 of 14 different counts in the documentation of its history odd (December 2025); the classic call: 7 of 15, September and October 2026',
    date: '2026-10',
    confidence: 'medium',
  },
  volume: {
    field: 'contracts/active `volumeOf24h`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd counts of lots: 25408.111, 12069.225',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'futures v1, interest and past ua v2',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); sieblyio/kucoin-api PR 164 (ua v2); classic in maintenance since 2026-06-03',
  },
};

export const TAKER_FEE_BPS = asBps(6);

/** `XBTUSDTM` and `XBTUSDCM` are linear, `XBTUSDM` is inverse, `XBTMZ26` dated; `.KXBTUSDT` is an index, no contract. */
export const { baseOf, reasonOf, unitsOf } = symbols({
  linear: /^([^.].*)USD[TC]M$/,
  others: [
    [/^\./, 'not_listed'],
    [/M[FGHJKMNQUVXZ]\d{2}$/, 'dated'],
    [/USDM$/, 'inverse'],
  ],
  rest: 'foreign_quote',
});

/** `code` is a text, whatever the HTTP status. */
export const open = envelope({ isSuccess: (code) => Number(code) === 200_000 });
const rows = rowsIn(open, { list: 'list', row: 'symbol' });

/** The contract that an answer about one contract names, also by its rate: `.XBTUSDTMFPI8H`. */
const contractOf = ({ symbol }: Wire): string | undefined =>
  readText(symbol)?.replace(/^\.(.+)FPI\d*H?$/, '$1');

const CLASSES: Readonly<Record<string, AssetClass>> = {
  CRYPTO: 'crypto',
  STOCK: 'equity',
  METAL: 'commodity',
  COMMODITY: 'commodity',
};

const STATUS: Readonly<Record<string, OutOfScopeReason>> = {
  Init: 'prelisting',
  Paused: 'not_trading',
  CancelOnly: 'not_trading',
  BeingSettled: 'delisted',
  Settled: 'delisted',
  Closed: 'delisted',
};

/** `FFWCSX` is perpetual, `FFICSX` dated. */
function leftOut(wire: Wire, symbol: string): Reject | RejectReason | undefined {
  const { type, status, settleCurrency: settle } = wire;
  if (type === 'FFICSX') return 'dated';
  if (type !== 'FFWCSX') return fieldFault(symbol, 'type', type);
  if (wire.isInverse !== false) return 'inverse';
  if (settle !== 'USDT' && settle !== 'USDC') return reasonOf(symbol);
  if (wire.quoteCurrency !== settle) return 'quanto';
  if (status === 'Open') return undefined;
  return STATUS[String(status)] ?? fieldFault(symbol, 'status', status);
}

const isPrelaunch = ({ marketStage }: Wire): boolean => (readText(marketStage) ?? 'NORMAL') !== 'NORMAL';

/** The interval in force, else, where that is not stated, the configured one; old replies state neither. */
const INTERVAL: Field<Hours> = {
  ...hours('fundingRateGranularity', IN_MILLISECONDS),
  raw: ({ currentFundingRateGranularity: inForce, fundingRateGranularity: configured }) =>
    isStated(inForce) ? inForce : configured,
};

const CONTRACT: ContractTable = {
  venue: 'kucoin',
  symbol: 'symbol',
  leftOut,
  base: text('baseCurrency'),
  quote: text('settleCurrency'),
  listedAt: listing('firstOpenDate'),
  // -1 on inverse contracts.
  contractSize: contractSize('multiplier'),
  fundingCap: bound('fundingRateCap'),
  fundingFloor: bound('fundingRateFloor'),
  assetClass: field('assetClass', (raw, { wire }) =>
    isPrelaunch(wire) ? 'prelaunch' : CLASSES[String(raw)],
  ),
  fundingIntervalHours: INTERVAL,
  indexId: text('indexSymbol'),
  takerFeeBps: ownTakerFee('takerFeeRate', TAKER_FEE_BPS),
  terms: TERMS,
};

/** The stated instant (absent before 2026), else receipt + the milliseconds left; settlements are on whole minutes. */
function nextFunding(raw: unknown, { wire, context: { receivedAt } }: ContractRow): UnixMs | undefined {
  const stated = readMs(raw);
  const left = readNumber(wire.nextFundingRateTime);
  if (stated !== undefined || receivedAt === undefined) return stated;
  if (left === undefined || left < 0 || left > DAY_MS) return undefined;
  return onGrid(asMs(receivedAt + left), MINUTE_MS);
}

/** Metrics of a contract but its open interest, which some of the call's servers have held still for days. */
const POLLED: QuoteTable = {
  fundingRate: required(rate('fundingFeeRate')),
  fundingIntervalHours: INTERVAL,
  nextFundingTime: field('nextFundingRateDateTime', nextFunding),
  markPrice: required(price('markPrice')),
  // Before listing the index is this contract's own price.
  indexPrice: where(({ wire }) => !isPrelaunch(wire), required(price('indexPrice'))),
  volume24h: amount(PUBLISHED.volume, { base: 'volumeOf24h', quote: 'turnoverOf24h' }),
};

const isOnMarket = ({ symbol, context }: ContractRow): boolean =>
  context.instruments.get(symbol)?.assetClass !== 'prelaunch';

/** The index in rows that do not state the stage of their contract, which the list of contracts tells. */
export const listedIndex = (name: string): Field<Price> => where(isOnMarket, required(price(name)));

/** Open interest counts lots, whose size only the list of contracts tells. */
const LOTS = amount(PUBLISHED.openInterest, { contracts: 'openInterest' });

/** `contracts/active` (and `contracts/{symbol}`): contracts, and every metric but best prices. */
export const decodeContracts = contractsWithQuotes(rows, CONTRACT, quotes({ ...POLLED, openInterest: LOTS }));
export const decodePolledContracts = contractsWithQuotes(rows, CONTRACT, quotes(POLLED));

/** The metrics of that alone, for the fast poll. */
export const decodeContractQuotes: Decoder = (payload, context) => ({
  ...decodePolledContracts(payload, context),
  instruments: [],
});

/** Best prices of all contracts; the stamp is the last trade's. */
export const TOUCH: QuoteTable = { bestBid: price('bestBidPrice'), bestAsk: price('bestAskPrice') };
export const decodeAllTickers = contractRows(rows, 'symbol', unitsOf, quotes(TOUCH));

/** `value` is the mark, computed on the second of `timePoint`. */
export const decodeMarkPrice = contractRows(
  objectIn(open),
  contractOf,
  unitsOf,
  quotes({
    markPrice: required(price('value')),
    indexPrice: listedIndex('indexPrice'),
    venueTime: ms('timePoint'),
  }),
);

export const decodeCurrentFunding = contractRows(
  objectIn(open),
  contractOf,
  unitsOf,
  quotes({
    fundingRate: required(rate('value')),
    fundingIntervalHours: hours('granularity', IN_MILLISECONDS),
    fundingCap: bound('fundingRateCap'),
    fundingFloor: bound('fundingRateFloor'),
    nextFundingTime: ms('fundingTime'),
  }),
);

const takeUnifiedFunding = quotes({
  fundingRate: required(rate('nextFundingRate')),
  fundingIntervalHours: hours('currentGranularity', IN_MILLISECONDS),
  fundingCap: bound('fundingRateCap'),
  fundingFloor: bound('fundingRateFloor'),
  nextFundingTime: ms('fundingTime'),
});

/** One contract, named by its rate, or all: in that list, rows named by a rate double those named by a contract. */
export const decodeUnifiedFunding: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const found = rows(payload, out);
  takeEach(found, found.length > 1 ? 'symbol' : contractOf, unitsOf, context, out, takeUnifiedFunding);
  return out;
};

/** An open interest that its row has not touched for longer is none: servers of this venue have stood still for days. */
const FROZEN_MS = HOUR_MS;
const takeLots = quotes({ openInterest: required(LOTS) });

const takeFreshLots: RowDecoder = (row, out) => {
  const { wire, symbol, context } = row;
  const made = readMs(wire.ts);
  const age = made === undefined ? 0 : (context.receivedAt ?? made) - made;
  if (age <= FROZEN_MS) takeLots(row, out);
  else out.rejects.push({ symbol, reason: 'out_of_range', detail: 'open interest stands still' });
};

export const decodeOpenInterest = contractRows(rows, 'symbol', unitsOf, takeFreshLots);

export const takeSettled = settledRates({
  stamp: STAMPS.funding,
  time: ms('fundingTime'),
  rate: rate('fundingRate'),
});
/** Newest first, at most 100. */
export const decodeFundingHistory = contractRows(
  rows,
  'symbol',
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('timepoint'),
    rate: rate('fundingRate'),
  }),
);

/** `{symbol, list: [{fundingRate, ts}]}`. */
export const decodeUnifiedFundingHistory = requestedRows(
  rows,
  (context, payload) => objectIn(open)(payload, emptyDecoded()).map(contractOf)[0] ?? requested()(context),
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('ts'),
    rate: rate('fundingRate'),
  }),
);

/** Past lots of the requested contract, newest first. */
export const decodeOpenInterestHistory = requestedRows(
  rows,
  requested(),
  unitsOf,
  openInterestSeries(STAMPS.openInterest, ms('ts'), LOTS),
);

/** `[seconds, open, …]`; in v1 the symbol is that of the mark, `XBTUSDTM-mark-price`. */
export const decodeMarkCandles = requestedRows(
  rows,
  (context) => requested()(context)?.replace(/-mark-price$/, ''),
  unitsOf,
  priceSeries(STAMPS.price, ms(0, SECONDS), 'markPrice', price(1)),
);
