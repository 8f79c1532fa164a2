import type { Published } from '../../domain/amount.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readNumber, readRate, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { Reject, RejectReason } from '../../domain/reject.ts';
import { asBps, asHours, asMs, asRate, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import type { UnitsLookup } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import { rejectError, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractsWithQuotes } from '../grammar/contract.ts';
import {
  bound,
  type ContractRow,
  derived,
  field,
  ms,
  price,
  rate,
  required,
  SECONDS,
} from '../grammar/field.ts';
import { settledRates } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, requestedRows } from '../grammar/rows.ts';
import { symbolOfId, symbols } from '../grammar/symbols.ts';
import { requestParam } from '../request-param.ts';
import { isSpotId, marketId } from './market-id.ts';
import { STAMPS } from './stamps.ts';
import { OPEN_INTEREST_LIMIT, TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'market_stats `open_interest`',
    unit: 'quote',
    sides: 'one',
    evidence:
      'the website shows twice the API; DefiLlama took a doubling back after 28 windows at exactly the traded size',
    date: '2026-10-04',
    confidence: 'high',
  },
  volume: {
    field: 'market_stats `daily_quote_token_volume`',
    unit: 'quote',
    sides: 'one',
    evidence: 'recorded odd counts of lots in `daily_base_token_volume`',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'v1',
    date: '2026-10-04',
    source:
      'dated comparison of funding rates against other venues (public notes); api.rh.lighter.xyz is another venue',
  },
};

/** `ETH`; spot markets are `ETH/USDC`. */
const symbolRules = symbols({ linear: /^([^/]+)$/, rest: 'spot' }, 1);

/** A text of digits is a market id: frames name no symbol, and without a list it stands for one. */
export const baseOf = (symbol: string): string | undefined =>
  /^\d*$/.test(symbol) ? undefined : symbolRules.baseOf(symbol);

export const unitsOf: UnitsLookup = (context, symbol) =>
  isSpotId(symbol) ? 'spot' : symbolRules.unitsOf(context, symbol);

/** The market that a row names by symbol or id; its id as long as no list states the symbol. */
export const marketOf = ({ symbol, market_id }: Wire, context: DecodeContext): string | undefined => {
  const id = marketId(market_id);
  return readText(symbol) ?? (id && (symbolOfId(id, context) ?? id));
};

/** The market that a request names, by its id. */
export const marketAsked = (context: DecodeContext): string | undefined =>
  marketOf({ market_id: requestParam(context.request, 'market_id') }, context);

/** An error answer is a text, null, or has a `code` other than 200, which successes carry. */
export const open: UnwrapEnvelope = (payload, out) => {
  if (payload === null || typeof payload === 'string') return rejectError(out, undefined, payload ?? 'null');
  if (!isWire(payload)) return payload;
  const { error, code, message } = payload;
  if (isWire(error)) return rejectError(out, error.code, error.message);
  return code === undefined || readNumber(code) === 200 ? payload : rejectError(out, code, message);
};

/** Last-price candles and the state of the server: nothing of ours in them. */
export const decodeNothing: Decoder = (payload) => {
  const out = emptyDecoded();
  open(payload, out);
  return out;
};

/** Funding is paid every hour. */
const HOURLY = asHours(1);

/** At least one of these stands in every recorded `market_config`. */
const CONFIG_FIELDS = ['market_margin_mode', 'force_reduce_only', 'hidden', 'trading_hours'];

/** Switches of an active market under which no position can be opened; missing in replies of 2025. */
const SWITCHES: readonly (readonly [name: string, raw: (row: Wire, config: Wire) => unknown])[] = [
  ['is_frozen', (row) => row.is_frozen],
  ['force_reduce_only', (_, config) => config.force_reduce_only],
  ['hidden', (_, config) => config.hidden],
];

/** The settings of a market, empty where there are none; undefined where something else stands in their place. */
function configOf({ market_config: stated }: Wire): Wire | undefined {
  if (stated === undefined || stated === null) return {};
  const isConfig = isWire(stated) && CONFIG_FIELDS.some((name) => stated[name] !== undefined);
  return isConfig ? stated : undefined;
}

function leftOut(row: Wire, symbol: string): Reject | RejectReason | undefined {
  const { market_id: id, market_type: type, status } = row;
  if (marketId(id) === undefined) return fieldFault(symbol, 'market_id', id);
  // Missing in replies of 2025.
  if (isSpotId(id) || (type ?? 'perp') !== 'perp') return 'spot';
  if (status !== 'active') return { symbol, reason: 'not_trading', detail: String(status).slice(0, 40) };
  const config = configOf(row);
  if (config === undefined) return fieldFault(symbol, 'market_config', row.market_config);
  for (const [name, raw] of SWITCHES) {
    const isOn = raw(row, config) ?? false;
    if (typeof isOn !== 'boolean') return fieldFault(symbol, name, isOn);
    if (isOn) return { symbol, reason: 'not_trading', detail: name };
  }
  // Blank on every market that was ever recorded; how hours are written is not documented, so none says that it is open.
  const hours = config.trading_hours ?? '';
  if (hours === '') return undefined;
  return { symbol, reason: 'not_trading', detail: `trading_hours ${String(hours)}`.slice(0, 40) };
}

const CONTRACT: ContractTable = {
  venue: 'lighter',
  symbol: 'symbol',
  leftOut,
  base: derived(({ symbol }) => symbol),
  quote: 'USDC',
  contractSize: 1,
  fundingIntervalHours: HOURLY,
  altId: field('market_id', marketId),
  // Percent, as `liquidation_fee` beside it ("1.0000" = 1 %).
  takerFeeBps: field('taker_fee', (raw, { wire }) => {
    if (wire.is_taker_fee_enabled === false) return asBps(0);
    const percent = readNumber(raw);
    return percent !== undefined && percent >= 0 && percent <= 1 ? asBps(percent * 100) : undefined;
  }),
  terms: TERMS,
};

/** Adds the faults of amounts that rows always state. */
const stating =
  (...names: readonly string[]) =>
  (_: QuotePatch, { wire, symbol }: ContractRow, rejects: Reject[]): void => {
    for (const name of names) if (wire[name] === undefined) rejects.push(fieldFault(symbol, name, undefined));
  };

/** Volume of 24 hours, which REST and stream write alike. */
const VOLUME = required(
  amount(PUBLISHED.volume, { base: 'daily_base_token_volume', quote: 'daily_quote_token_volume' }),
);

/** The raw open interest is left to the stream: it counts USD there and base units here. Prices are missing before 2026-09. */
const markets = contractsWithQuotes(
  rowsIn(open, { list: 'order_book_details' }),
  CONTRACT,
  quotes(
    {
      markPrice: price('mark_price'),
      indexPrice: price('index_price'),
      openInterest: amount(PUBLISHED.openInterest, { base: 'open_interest' }),
      volume24h: VOLUME,
    },
    stating('open_interest', 'daily_base_token_volume'),
  ),
);

/** Perpetuals with their activity; spot markets stand in a list of their own. */
export const decodeMarkets: Decoder = (payload, context) => {
  const decoded = markets(payload, context);
  const spot = isWire(payload) ? (wireArray(payload.spot_order_book_details) ?? []) : [];
  for (const row of spot) {
    const symbol = isWire(row) ? readText(row.symbol) : undefined;
    decoded.rejects.push({ symbol: symbol ?? null, reason: 'spot' });
  }
  return decoded;
};

/**
 * The coming payment. `funding_timestamp` is the last one in every recording (the docs show one ahead): a time ahead
 * is taken as it is, a past one is moved on by whole hours. Cut to the second.
 */
function nextPayment(stamp: UnixMs | undefined, now: UnixMs | undefined): UnixMs | undefined {
  if (stamp === undefined) return undefined;
  const payment = Math.floor(stamp / 1000) * 1000;
  const passed = now === undefined ? 0 : Math.floor((now - payment) / HOUR_MS);
  return asMs(payment + Math.max(0, passed + 1) * HOUR_MS);
}

/** A row of `market_stats`. Rates are percent an hour: the estimate of the coming payment, not the last one. */
export const takeStats = quotes(
  {
    fundingRate: required(rate('current_funding_rate', 0.01)),
    fundingIntervalHours: derived(() => HOURLY),
    fundingCap: bound('funding_clamp_big', 0.01 / 8),
    fundingFloor: bound('funding_clamp_big', -0.01 / 8),
    nextFundingTime: required(
      field('funding_timestamp', (raw, { wire, context }) =>
        nextPayment(readMs(raw), readMs(wire.frameTime) ?? context.receivedAt),
      ),
    ),
    markPrice: required(price('mark_price')),
    indexPrice: required(price('index_price')),
    openInterest: required(amount(PUBLISHED.openInterest, { quote: 'open_interest' })),
    volume24h: VOLUME,
    openInterestLimitUsd: OPEN_INTEREST_LIMIT,
  },
  stating('daily_base_token_volume'),
);

const takeTouch = quotes({ bestBid: price('bid'), bestAsk: price('ask') });

/** Best bid and ask; of an empty side the price is missing or an empty text. */
export const takeTicker: RowDecoder = (row, out) => {
  const { wire, symbol } = row;
  if ((wire.bid ?? '') === '' && (wire.ask ?? '') === '')
    out.rejects.push({ symbol, reason: 'placeholder', detail: 'empty touch' });
  else takeTouch(row, out);
};

const takeRate = quotes({ fundingRate: rate('rate', 1 / 8), fundingIntervalHours: derived(() => HOURLY) });

/** Current rates for eight hours, though the venue pays hourly; those of other exchanges are left out. */
export const decodeRates = contractRows(
  rowsIn(open, { list: 'funding_rates' }),
  marketOf,
  unitsOf,
  (row, out) => {
    const { wire, symbol } = row;
    const detail = `rate of ${wire.exchange}`.slice(0, 48);
    if (wire.exchange === 'lighter') takeRate(row, out);
    else out.rejects.push({ symbol, reason: 'not_listed', detail });
  },
);

const SIGNS: Readonly<Record<string, 1 | -1>> = { long: 1, short: -1 };

/** Percent an hour without a sign; `direction` says who pays. */
const SIGNED_RATE = field('rate', (raw, { wire }) => {
  const size = readRate(raw, 0.01);
  // An empty market pays a rate of zero.
  if (size === 0) return asRate(0);
  const sign = SIGNS[String(wire.direction)];
  return size === undefined || sign === undefined || size < 0 ? undefined : asRate(sign * size);
});

const payments = requestedRows(
  rowsIn(open, { list: 'fundings' }),
  marketAsked,
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('timestamp', SECONDS),
    rate: SIGNED_RATE,
    intervalHours: derived(() => HOURLY),
  }),
);

/** Settled payments, hourly ones only: what a coarser row holds is not documented. */
export const decodeFundings: Decoder = (payload, context) => {
  const stated = isWire(payload) ? readText(payload.resolution) : undefined;
  const resolution = stated ?? requestParam(context.request, 'resolution') ?? '1h';
  if (resolution === '1h') return payments(payload, context);
  const detail = `resolution ${resolution.slice(0, 10)}`;
  return { ...emptyDecoded(), rejects: [{ symbol: null, reason: 'unknown_unit', detail }] };
};
