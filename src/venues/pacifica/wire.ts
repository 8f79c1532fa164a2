import type { Published } from '../../domain/amount.ts';
import { readMs, readText } from '../../domain/read.ts';
import { asHours, asRate } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { errorText } from '../error-text.ts';
import { envelope, rowsIn } from '../grammar/answer.ts';
import { type ContractTable, contractList } from '../grammar/contract.ts';
import { derived, listing, ms, price, rate } from '../grammar/field.ts';
import { priceSeries, settledRates } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { contractRows, requested, requestedRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { nextHour } from '../hour.ts';
import { beforeLaunch } from '../launch.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's rule: no rate is larger, either way, an hour. */
const LARGEST_RATE = asRate(0.04);

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'info/prices `open_interest`',
    unit: 'base',
    sides: 'two',
    evidence: 'DefiLlama measured it and halves it; public counts of lots even',
    date: '2026-09',
    confidence: 'high',
  },
  volume: {
    field: 'info/prices `volume_24h`',
    unit: 'quote',
    sides: 'two',
    evidence: 'DefiLlama halves it',
    date: '2026-09',
    confidence: 'high',
  },
  verified: {
    version: 'v1',
    date: '2026-09-28',
    source: 'public decoder tests with frames of that day; ccxt 4.5.84',
  },
};

/** Every perpetual settles each full hour; the payloads do not say so. */
const INTERVAL = asHours(1);

/** A perpetual's symbol is its base; spot pairs have a hyphen. */
export const { baseOf, unitsOf } = symbols({ linear: /^([^-]+)$/, rest: 'spot' }, 1);

export const open = envelope({
  code: 'success',
  isSuccess: (success) => success !== false,
  message: ({ code, error }) => errorText(code, error),
});

const rows = rowsIn(open, { row: 'symbol' });

const CONTRACT: ContractTable = {
  venue: 'pacifica',
  symbol: 'symbol',
  leftOut: ({ instrument_type: type, created_at: launch }, symbol, { receivedAt }) => {
    if (baseOf(symbol) === undefined || (readText(type) ?? 'perpetual') !== 'perpetual') return 'spot';
    // The list states no status, but when a market was or will be listed.
    return beforeLaunch(symbol, { field: 'created_at', raw: launch }, false, receivedAt);
  },
  base: derived(({ symbol }) => symbol),
  quote: 'USDC',
  listedAt: listing('created_at'),
  contractSize: 1,
  fundingCap: LARGEST_RATE,
  fundingFloor: asRate(-LARGEST_RATE),
  fundingIntervalHours: INTERVAL,
  terms: TERMS,
};
export const decodeInfo = contractList(rows, CONTRACT);

/** The list states rates, too: `next_funding_rate` is what `/info/prices` calls `next_funding`. */
export const decodeInfoRates = contractRows(
  rows,
  'symbol',
  unitsOf,
  quotes({ fundingIntervalHours: derived(() => INTERVAL), fundingRate: rate('next_funding_rate') }),
);

/** `next_funding` is the running estimate of the rate paid at the next full hour, `funding` the one last paid. */
export const takePrices = quotes({
  fundingIntervalHours: derived(() => INTERVAL),
  fundingRate: rate('next_funding'),
  markPrice: price('mark'),
  indexPrice: price('oracle'),
  openInterest: amount(PUBLISHED.openInterest, { base: 'open_interest' }),
  volume24h: amount(PUBLISHED.volume, { quote: 'volume_24h' }),
  venueTime: ms('timestamp'),
  nextFundingTime: derived(({ wire, context }) => nextHour(readMs(wire.timestamp) ?? context.receivedAt)),
});
export const decodePrices = contractRows(rows, 'symbol', unitsOf, takePrices);

/** Rates paid, stamped some seconds after the hour: a row's `next_funding_rate`; `funding_rate` is the hour's before (VENUE.md). */
export const decodeFundingHistory = requestedRows(
  rowsIn(open),
  requested(),
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('created_at'),
    rate: rate('next_funding_rate'),
    intervalHours: derived(() => INTERVAL),
    gridMs: HOUR_MS,
  }),
);

/** Candles of the mark. */
export const decodeMarkKline = contractRows(
  rowsIn(open, { row: 's' }),
  's',
  unitsOf,
  priceSeries(STAMPS.price, ms('t'), 'markPrice', price('o')),
);
