import { SECONDS } from '../grammar/field.ts';
import {
  baseDecimals,
  end,
  inBase,
  inQuote,
  leverage,
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

export const LEVERAGE = leverage('max_leverage');

/** Terms of contracts, as the list states them; leverage stands beside the metrics alone. */
export const TERMS: TermsTable = {
  call: 'v4/public/markets',
  evidence:
    'documentation "Market Info" of 2026-08 (whitebit-exchange/docs): decimals, `minAmount` in the base, `minTotal` in the quote currency, `delistedAt` as announced, in seconds; steps are in rows of 2026-08 (roq-whitebit tests); the recorded list holds a spot pair and no contract',
  confidence: 'high',
  fields: {
    tick: stepOr(tick('tickSize'), priceDecimals('moneyPrec')),
    lot: stepOr(inBase('stepSize'), baseDecimals('stockPrec')),
    minSize: inBase('minAmount'),
    minNotionalUsd: inQuote('minTotal'),
    delistsAt: end('delistedAt', SECONDS),
  },
  besideMetrics: {
    call: 'v4/public/futures',
    evidence:
      'recorded 2026-03 (0G_PERP: 50) and as text in 2023 (LTC_PERP: "100"); documentation "Change collateral account leverage": the market’s `max_leverage` limits what an account can set',
    confidence: 'high',
    fields: { maxLeverage: LEVERAGE },
  },
};
