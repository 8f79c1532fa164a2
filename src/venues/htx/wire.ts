import type { AssetClass } from '../../domain/instrument.ts';
import {
  isWire,
  readHours,
  readMs,
  readNumber,
  readPrice,
  readText,
  type Wire,
  wireArray,
} from '../../domain/read.ts';
import type { OutOfScopeReason, Reject, RejectReason } from '../../domain/reject.ts';
import type { Price, UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { rejectError, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractList, contractSize } from '../grammar/contract.ts';
import {
  bound,
  type ContractRow,
  derived,
  type Field,
  field,
  hours,
  IN_MILLISECONDS,
  ms,
  price,
  rate,
  required,
  where,
} from '../grammar/field.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, requested, requestedRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { isStated } from '../quote-field.ts';
import { PUBLISHED } from './published.ts';
import { TERMS } from './terms.ts';

/**
 * `BTC-USDT` is linear, `BTC-USDT-260925` dated, and so are its aliases `BTC-USDT-CW`, `-NW`, `-CQ`, `-NQ`. Sizes count
 * contracts, whose size only the list of contracts states.
 */
export const { baseOf, reasonOf, unitsOf } = symbols({
  linear: /^([^-]+)-USDT$/,
  others: [
    [/^[^-]+-USDT-/, 'dated'],
    [/^[^-]+-USD$/, 'inverse'],
  ],
  rest: 'foreign_quote',
});

/**
 * Opens `data`, `ticks` or `tick`. Market calls say `err-code` (a text), API calls `err_code` (a number), both inside
 * HTTP 200; an unknown path has a number for its status; the fifth version has a `code` other than 200.
 */
export const open: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload)) return payload;
  const { status, code, message } = payload;
  const errorCode = payload['err-code'] ?? payload.err_code;
  const said = payload['err-msg'] ?? payload.err_msg;
  // The notification socket states the code 0 when all is well.
  if (errorCode !== undefined && errorCode !== 0) return rejectError(out, errorCode, said);
  if (status !== undefined && status !== 'ok')
    return rejectError(out, status, said ?? payload.error ?? message);
  if (code !== undefined && Number(code) !== 200) return rejectError(out, code, message ?? payload.msg);
  return payload.data ?? payload.ticks ?? payload.tick ?? payload;
};

const rows = rowsIn(open, { row: 'contract_code' });
const each = (take: RowDecoder): Decoder => contractRows(rows, 'contract_code', unitsOf, take);

/** `market.BTC-USDT.depth.step0`: contract and subject of a channel's name. */
export function channelOf(name: unknown): readonly [symbol: string, subject: string] | undefined {
  const [, symbol, subject] = /^market\.([^.]+)\.(.+)$/.exec(readText(name) ?? '') ?? [];
  return symbol === undefined || subject === undefined ? undefined : [symbol, subject];
}

/** The contract an answer is about: its channel says it, else the request. */
export function symbolOf(context: DecodeContext, payload: unknown): string | undefined {
  const channel = isWire(payload) ? channelOf(payload.ch) : undefined;
  return channel?.[0] ?? requested('contract_code')(context);
}

/** The same context at the time when an answer says that it was made. */
export function stamped(context: DecodeContext, payload: unknown): DecodeContext {
  const made = isWire(payload) ? readMs(payload.ts) : undefined;
  return made === undefined ? context : { ...context, receivedAt: made };
}

const atItsTime =
  (decode: Decoder): Decoder =>
  (payload, context) =>
    decode(payload, stamped(context, payload));

const STATUS: Readonly<Record<string, OutOfScopeReason>> = {
  0: 'delisted',
  2: 'prelisting',
  3: 'not_trading',
  4: 'prelisting',
  5: 'not_trading',
  6: 'not_trading',
  7: 'not_trading',
  8: 'delisted',
  9: 'not_trading',
};

/** In this order: what is labelled both a share and an index is a fund of shares. */
const CLASSES: readonly (readonly [label: string, assetClass: AssetClass])[] = [
  ['metals', 'commodity'],
  ['commodities', 'commodity'],
  ['commodity', 'commodity'],
  ['stocks', 'equity'],
  ['stock', 'equity'],
  ['indices', 'index'],
  ['forex', 'fx'],
];

/** Class by label, of the venue's own or free. No label is no proof of a coin: a currency pair carries none. */
function classOf({ wire }: ContractRow): AssetClass | undefined {
  const labels = [...(wireArray(wire.tradfi_labels) ?? []), ...(wireArray(wire.labels) ?? [])];
  const said = new Set(labels.map((label) => (typeof label === 'string' ? label.toLowerCase() : '')));
  return CLASSES.find(([label]) => said.has(label))?.[1];
}

function leftOut(wire: Wire, symbol: string): Reject | RejectReason | undefined {
  const { business_type: business, contract_type: type, contract_status: status } = wire;
  if (business === 'futures') return 'dated';
  if (baseOf(symbol) === undefined) return reasonOf(symbol);
  if (type !== undefined && type !== 'swap') return 'dated';
  if (readNumber(status) === 1) return undefined;
  return STATUS[String(status)] ?? fieldFault(symbol, 'contract_status', status);
}

const CONTRACT: ContractTable = {
  venue: 'htx',
  symbol: 'contract_code',
  leftOut,
  base: derived(({ symbol }) => baseOf(symbol)),
  quote: 'USDT',
  contractSize: contractSize('contract_size'),
  assetClass: derived(classOf),
  // Missing before 2023.
  fundingIntervalHours: hours('settlement_period'),
  terms: TERMS,
};

export const decodeContracts = contractList(rows, CONTRACT);

const isUnreadable = (raw: unknown): boolean => isStated(raw) && readMs(raw) === undefined;

/** The first of these times that lies ahead of the answer: one that is past is no coming settlement. */
function coming(names: readonly string[]): Field<UnixMs> {
  const [first = ''] = names;
  const ahead = ({ wire, context: { receivedAt: now } }: ContractRow): UnixMs | undefined =>
    names
      .map((name) => readMs(wire[name]))
      .find((time) => time !== undefined && (now === undefined || time > now));
  const isComing = (row: ContractRow): boolean =>
    readMs(row.wire[first]) === undefined || ahead(row) !== undefined;
  // The settlement after one that cannot be read is not the next.
  return where(
    isComing,
    field(first, (raw, row) => (isUnreadable(raw) ? undefined : ahead(row))),
  );
}

/** Hours from one settlement to the next, where both are stated. */
const INTERVAL = where(
  ({ wire }) => readMs(wire.funding_time) !== undefined || isUnreadable(wire.next_funding_time),
  field('next_funding_time', (raw, { wire }) => {
    const next = readMs(wire.funding_time);
    const after = readMs(raw);
    return next === undefined || after === undefined ? undefined : readHours(after - next, IN_MILLISECONDS);
  }),
);

/** The running rate; the second settlement is null in the first version since 2026. */
export const decodeFunding = atItsTime(
  each(
    quotes({
      fundingRate: rate('funding_rate'),
      nextFundingTime: coming(['funding_time', 'next_funding_time']),
      fundingIntervalHours: INTERVAL,
      fundingCap: bound('max_funding_rate'),
      fundingFloor: bound('min_funding_rate'),
    }),
  ),
);

/**
 * Of a notice: `funding_time` is when the rate was computed; `settlement_time` is the coming settlement, or the past one
 * in notices that are sent after it.
 */
export const takeFundingNotice = quotes({
  fundingRate: rate('funding_rate'),
  nextFundingTime: coming(['settlement_time']),
  venueTime: ms('funding_time'),
});

/** An index that stood still for longer is none: delisted contracts keep theirs for years. */
const FROZEN_MS = HOUR_MS;
const takeIndex = quotes({ indexPrice: required(price('index_price')) });

/** Indices of all contracts ever listed; frozen ones are left out. */
export const decodeIndex = atItsTime(
  each((row, out) => {
    const { symbol, wire, context } = row;
    const made = readMs(wire.index_ts);
    const age = made === undefined ? 0 : (context.receivedAt ?? made) - made;
    const reason = context.instruments.size === 0 ? 'delisted' : 'not_trading';
    if (age <= FROZEN_MS) takeIndex(row, out);
    else out.rejects.push({ symbol, reason, detail: 'index stands still' });
  }),
);

/** `[price, contracts]`; null or empty without orders. */
const best = (name: string): Field<Price> => ({
  ...field(name, (raw, { wire, units }) =>
    wireArray(wire[name]) === undefined ? undefined : readPrice(raw, units.multiplier),
  ),
  raw: ({ [name]: side }) => (wireArray(side) ?? [side])[0],
});
const TOUCH = { bestBid: best('bid'), bestAsk: best('ask') };
export const takeTouch = quotes(TOUCH);
export const decodeTouch = each(takeTouch);

/** Open interest and 24 h volume. */
const takeAmounts = quotes({
  openInterest: amount(PUBLISHED.openInterest, { contracts: 'volume', base: 'amount', quote: 'value' }),
  volume24h: amount(PUBLISHED.volume, {
    contracts: 'trade_volume',
    base: 'trade_amount',
    quote: 'trade_turnover',
  }),
});

export const decodeOpenInterest = each((row, out) => {
  if (row.wire.business_type === 'futures') out.rejects.push({ symbol: row.symbol, reason: 'dated' });
  else takeAmounts(row, out);
});

/** First version of the overview: `vol` counts contracts. */
export const takeOverview = quotes({
  volume24h: amount(PUBLISHED.volume, { contracts: 'vol', base: 'amount', quote: 'trade_turnover' }),
  ...TOUCH,
});
export const decodeOverviews = each(takeOverview);
export const decodeOverview = requestedRows(rowsIn(open, { row: 'vol' }), symbolOf, unitsOf, takeOverview);

/** Second version: `vol` is the turnover in USDT, `number_of` counts contracts. */
export const decodeOverviewsV2 = each(
  quotes({
    volume24h: amount(PUBLISHED.volume, { contracts: 'number_of', base: 'amount', quote: 'vol' }),
    ...TOUCH,
  }),
);

/** The close of a running candle is the price now. */
export const close = (key: 'markPrice' | 'indexPrice'): RowDecoder => quotes({ [key]: price('close') });
