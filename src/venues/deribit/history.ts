import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readHours, readMs, readRate, wireArray } from '../../domain/read.ts';
import { asHours } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { readOneContract } from '../contract-rows.ts';
import { fieldFault } from '../field-fault.ts';
import { requestParam } from '../request-param.ts';
import { asked, resultOf, unitsOf } from './wire.ts';

const HOUR = asHours(1);
const MS_IN_HOURS = 1 / 3_600_000;

/**
 * `public/get_funding_rate_history`: `interest_1h` is what accrued in the hour that ends at `timestamp`
 * (`interest_8h` trails eight hours, so that its rows overlap).
 */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  const isRow = isWire(result) && result.interest_1h !== undefined;
  const rows = isRow ? [result] : wireArray(result);
  if (rows === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no rows' });
    return out;
  }
  readOneContract(asked(context), unitsOf, context, out, (symbol) => {
    for (const row of rows) {
      const { timestamp, interest_1h } = isWire(row) ? row : {};
      const time = readMs(timestamp);
      const rate = readRate(interest_1h);
      if (time === undefined) out.rejects.push(fieldFault(symbol, 'timestamp', timestamp));
      else if (rate === undefined) out.rejects.push(fieldFault(symbol, 'interest_1h', interest_1h));
      else out.funding.push({ symbol, time, rate, intervalHours: HOUR });
    }
  });
  return out;
}

/** `public/get_funding_rate_value`: what accrued in the window of the request, where that is a day at most. */
export function decodeFundingValue(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  const rate = readRate(result);
  if (rate === undefined) {
    out.rejects.push(fieldFault(null, 'result', result));
    return out;
  }
  readOneContract(asked(context), unitsOf, context, out, (symbol) => {
    const from = readMs(requestParam(context.request, 'start_timestamp'));
    const time = readMs(requestParam(context.request, 'end_timestamp'));
    const hours = from === undefined || time === undefined ? undefined : readHours(time - from, MS_IN_HOURS);
    if (time !== undefined && hours !== undefined) {
      out.funding.push({ symbol, time, rate, intervalHours: hours });
    } else {
      out.rejects.push({ symbol, reason: 'missing_field', detail: 'window of the request' });
    }
  });
  return out;
}
