import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readRate, readText, type Wire, wireArray } from '../../domain/read.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { type ContractUnits, contractUnitsOf } from '../contract-units.ts';
import { rejectEmpty } from '../empty-rows.ts';
import { nearestHour, nextHour } from '../hour.ts';
import { keepPatch, need } from '../quote-field.ts';
import { requestParam } from '../request-param.ts';
import { dataOf, parseSymbol, perpetualOn, resultOf } from './rows.ts';
import { INTERVAL } from './wire.ts';

/** What a valuation or a valuation channel tells; both carry rows `{v, t}`. */
export type Valuation = 'mark' | 'index' | 'funding' | 'settled';

const TYPES: Readonly<Record<string, Valuation>> = {
  mark_price: 'mark',
  index_price: 'index',
  funding_rate: 'funding',
  funding_hist: 'settled',
};

const byIndex = new WeakMap<DecodeContext['instruments'], ReadonlyMap<string, string>>();

/** Perpetual by the name of its index. */
function symbolsByIndex(instruments: ReadonlyMap<string, Instrument>): ReadonlyMap<string, string> {
  const known = byIndex.get(instruments);
  if (known !== undefined && known.size === instruments.size) return known;
  const made = new Map<string, string>();
  for (const { symbol, indexId } of instruments.values()) made.set(indexId ?? symbol, symbol);
  byIndex.set(instruments, made);
  return made;
}

/** The perpetual that a name means: its own, or that of its index. */
function symbolOf(name: string, context: DecodeContext): string {
  return symbolsByIndex(context.instruments).get(name) ?? perpetualOn(name) ?? name;
}

/** Calls `take` for the contract that a name means, or rejects the name. */
export function withContract(
  name: string | undefined,
  context: DecodeContext,
  out: Decoded,
  take: (symbol: string, units: ContractUnits) => void,
): void {
  if (name === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'instrument_name' });
    return;
  }
  const symbol = symbolOf(name, context);
  const units = contractUnitsOf(context, symbol, parseSymbol, 1);
  if (typeof units === 'string') out.rejects.push({ symbol: name, reason: units });
  else take(symbol, units);
}

/**
 * The newest value. The rate in force is charged at the end of the hour that its stamp lies in, so the next
 * settlement is the full hour behind the later of stamp and receipt. Marks and indices are made again every second:
 * their stamp tells how fresh they are.
 */
export function takeLatest(
  kind: Exclude<Valuation, 'settled'>,
  row: Wire,
  symbol: string,
  multiplier: number,
  receivedAt: UnixMs | undefined,
  out: Decoded,
): void {
  const { rejects } = out;
  const q: QuotePatch = { symbol };
  const time = readMs(row.t);
  if (kind === 'funding') {
    need(q, 'fundingRate', readRate(row.v), row.v, rejects);
    if (q.fundingRate !== undefined) q.fundingIntervalHours = INTERVAL;
    const next = nextHour(time === undefined ? receivedAt : asMs(Math.max(time, receivedAt ?? 0)));
    if (q.fundingRate !== undefined && next !== undefined) q.nextFundingTime = next;
  } else {
    const field = kind === 'mark' ? 'markPrice' : 'indexPrice';
    need(q, field, readPrice(row.v, multiplier), row.v, rejects);
    if (kind === 'mark' && q.markPrice !== undefined && time !== undefined) q.venueTime = time;
  }
  keepPatch(q, out.quotes, rejects);
}

function takeHistory(
  kind: Exclude<Valuation, 'funding'>,
  row: Wire,
  symbol: string,
  multiplier: number,
  out: Decoded,
): void {
  const time = readMs(row.t);
  const rate = kind === 'settled' ? readRate(row.v) : undefined;
  const price = kind === 'settled' ? undefined : readPrice(row.v, multiplier);
  if (time !== undefined && rate !== undefined) {
    out.funding.push({ symbol, time: nearestHour(time), rate, intervalHours: INTERVAL });
  } else if (time !== undefined && price !== undefined) {
    out.history.push({ symbol, time, [kind === 'mark' ? 'markPrice' : 'indexPrice']: price });
  } else {
    out.rejects.push({ symbol, reason: 'malformed', detail: 'valuation' });
  }
}

/** Whether a series was asked for, rather than the value of now. */
function isSeries(rows: readonly unknown[], context: DecodeContext): boolean {
  const asked = (name: string) => requestParam(context.request, name) !== undefined;
  return rows.length > 1 || asked('start_ts') || asked('end_ts');
}

/**
 * `get-valuations`: one row of a price is the value of now, several are its past; only the request says of what.
 * `funding_hist` lists settled rates, one an hour. The estimate of the next four hours is no rate of this one.
 */
export function decodeValuations(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  const type = requestParam(context.request, 'valuation_type');
  const kind = type === undefined ? undefined : TYPES[type];
  const rows = listOf(dataOf(result));
  rejectEmpty(rows, out);
  if (kind === undefined || rows === undefined) {
    const reason = rows === undefined ? 'unexpected_shape' : 'unknown_unit';
    out.rejects.push({ symbol: null, reason, detail: `valuation_type ${type ?? 'not known'}`.slice(0, 60) });
    return out;
  }
  const answered = isWire(result) ? readText(result.instrument_name) : undefined;
  const name = answered ?? requestParam(context.request, 'instrument_name');
  withContract(name, context, out, (symbol, { multiplier }) => {
    const past = kind === 'settled' || (kind !== 'funding' && isSeries(rows, context));
    for (const row of kind === 'funding' ? [newest(rows)] : rows) {
      if (!isWire(row)) out.rejects.push({ symbol, reason: 'malformed', detail: 'row' });
      else if (past) takeHistory(kind, row, symbol, multiplier, out);
      else takeLatest(kind, row, symbol, multiplier, context.receivedAt, out);
    }
  });
  return out;
}

function listOf(data: unknown): readonly unknown[] | undefined {
  return wireArray(data) ?? (isWire(data) && data.v !== undefined ? [data] : undefined);
}

function newest(rows: readonly unknown[]): unknown {
  const time = (row: unknown): number => (isWire(row) ? (readMs(row.t) ?? 0) : 0);
  return rows.reduce((best, row) => (time(row) > time(best) ? row : best), rows[0]);
}
