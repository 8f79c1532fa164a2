import { SECONDS } from '../grammar/field.ts';
import {
  baseDecimals,
  end,
  inBase,
  inQuote,
  priceDecimals,
  type Term,
  type TermsTable,
  tick,
} from '../grammar/terms.ts';
import { isStated } from '../quote-field.ts';

/** A step, or where a row states none the number of decimals. */
function stepOr<T>(step: Term<T>, decimals: Term<T>): Term<T> {
  const hasStep = (wire: Parameters<typeof step.raw>[0]): boolean => isStated(step.raw(wire));
  return {
    name: step.name,
    place: `${step.place}, else ${decimals.place}`,
    unit: `${step.unit}, else ${decimals.unit}`,
    raw: (wire) => (hasStep(wire) ? step : decimals).raw(wire),
    read: (raw, row) => (hasStep(row.wire) ? step : decimals).read(raw, row),
  };
}

/** Terms of contracts, as the list states them; leverage stands beside the metrics alone. */
export const TERMS: TermsTable = {
  call: 'v4/public/markets',
  evidence:
    'documentation "Market Info" of 2026-08 (whitebit-exchange/docs): decimals, `minAmount` in the base, `minTotal` in the quote currency, `delistedAt` as announced, in seconds; steps are in rows of 2026-08 (roq-whitebit tests)',
  confidence: 'high',
  fields: {
    tick: stepOr(tick('tickSize'), priceDecimals('moneyPrec')),
    lot: stepOr(inBase('stepSize'), baseDecimals('stockPrec')),
    minSize: inBase('minAmount'),
    minNotionalUsd: inQuote('minTotal'),
    delistsAt: end('delistedAt', SECONDS),
  },
};
