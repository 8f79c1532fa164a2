import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readNumber, readRate, readText, type Wire } from '../../domain/read.ts';
import type { UnixMs } from '../../domain/units.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { rowsIn } from '../grammar/answer.ts';
import { field, ms, price, SECONDS } from '../grammar/field.ts';
import { openInterestSeries, priceSeries, settledRates } from '../grammar/history.ts';
import { amount } from '../grammar/quote.ts';
import { contractRows, requestedRows, takeOf } from '../grammar/rows.ts';
import { PUBLISHED } from './published.ts';
import { STAMPS } from './stamps.ts';
import { close, open, stamped, symbolOf, unitsOf } from './wire.ts';

/** `realized_rate` is what was charged, where it is stated. */
export const decodeFundingHistory = contractRows(
  rowsIn(open, { list: 'data', row: 'contract_code' }),
  'contract_code',
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('funding_time'),
    rate: field('realized_rate', (raw, { wire }) => readRate(raw) ?? readRate(wire.funding_rate)),
  }),
);

const takeInterest = openInterestSeries(
  STAMPS.openInterest,
  ms('ts'),
  amount(PUBLISHED.openInterest, ({ wire: { amount_type: type, volume, value: quote } }) =>
    readNumber(type) === 2 ? { base: volume, quote } : { contracts: volume, quote },
  ),
);

/** In contracts (`amount_type` 1, or left out as we ask for them) or coins (2), and in USDT. */
export const decodeInterestHistory = requestedRows(
  rowsIn(open, { list: 'tick', row: 'volume' }),
  (context, payload) => {
    const answer = open(payload, emptyDecoded());
    return (isWire(answer) ? readText(answer.contract_code) : undefined) ?? symbolOf(context, payload);
  },
  unitsOf,
  (row, out) => {
    const { amount_type: type } = row.wire;
    const unit = (type ?? '') === '' ? 1 : readNumber(type);
    if (unit === 1 || unit === 2) takeInterest(row, out);
    else out.rejects.push(fieldFault(row.symbol, 'amount_type', type));
  },
);

const candlesIn = rowsIn(open, { row: 'open' });
const takeOpens = priceSeries(STAMPS.price, ms('id', SECONDS), 'markPrice', price('open'));
const takeClose = close('markPrice');

/** Opens of mark candles. Where the last is still open at the time of the answer, its close is also the mark now. */
export const decodeMarkCandles: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const candles = candlesIn(payload, out);
  const symbol = symbolOf(context, payload);
  takeOf(symbol, candles, unitsOf, context, out, takeOpens);
  const running = openCandle(candles, stamped(context, payload).receivedAt);
  if (running !== undefined && out.history.length > 0)
    takeOf(symbol, [running], unitsOf, context, out, takeClose);
  return out;
};

/** The last candle where it is still open. A candle alone is taken for a minute's. */
function openCandle(candles: readonly unknown[], now: UnixMs | undefined): Wire | undefined {
  const before = candles.at(-2);
  const last = candles.at(-1);
  const start = isWire(last) ? readMs(last.id, SECONDS) : undefined;
  if (!isWire(last) || start === undefined || now === undefined) return undefined;
  const earlier = isWire(before) ? readMs(before.id, SECONDS) : undefined;
  const length = earlier === undefined ? MINUTE_MS : start - earlier;
  return start + length > now ? last : undefined;
}
