import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { nextSettlement } from '../domain/next-settlement.ts';
import type { UnixMs } from '../domain/units.ts';
import { nullReasons, withReasons } from './answer/null-reason.ts';
import { fundingTime, type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import { canonicalIdName, nullable, number, tickerName, timestamp, venueName } from './answer/schema.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-funding-next.json' with { type: 'json' };
import {
  boundFields,
  fundingBounds,
  intervalHours,
  NO_BOUNDS,
  noNextFunding,
} from './funding/funding-row.ts';
import { canonicalIdParameter, findPair, tickerParameter, venueParameter } from './rows/asked.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import { marketHours, marketHoursFields } from './rows/market-hours.ts';
import type { Pair } from './rows/select.ts';
import { markTime, markTimeField, rateTime, rateTimeField } from './rows/value-times.ts';

const answer = Type.Object({
  venue: venueName,
  ticker: tickerName,
  canonical_id: canonicalIdName,
  ...contractFields,
  ...marketHoursFields,
  next_funding_time: nullable(timestamp('Next settlement; null where the venue does not say')),
  funding_interval_hours: intervalHours,
  current_rate: nullable(number('Rate shown for the next settlement, fraction per interval, indicative')),
  ...boundFields,
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  updated_at: timestamp('Time of the rate'),
  ...rateTimeField,
  ...markTimeField,
  ...nullReasons,
});

type FundingNext = Static<typeof answer>;

export const perpFundingNext = defineProduct({
  id: 'perp-funding-next',
  path: '/v1/perp/funding-next',
  access: 'paid',
  summary: 'Next funding settlement on a venue',
  description:
    'When one venue settles funding of one ticker next, over which interval, and the rate it shows for that settlement, which may still move before it; with the mark price. Takes no position side or size.',
  tags: ['funding', 'perpetual-futures'],
  dependsOn: 'second',
  revisedAt: '2026-11-28T14:00:00.000Z',
  query: Type.Object({ ticker: tickerParameter, venue: venueParameter, canonical_id: canonicalIdParameter }),
  answer,
  example: { request: '/v1/perp/funding-next?ticker=BTC&venue=binance', answer: example },
  find: findPair,
  compute: (pair, { clock }) => fundingNext(pair, clock.now()),
});

/** Next funding settlement of one pair. 404 no_data when the venue states neither time nor rate. */
export function fundingNext(pair: Pair, now: UnixMs): Result<ProductAnswer<FundingNext>> {
  const { row } = pair;
  const next = nextSettlement(row, now);
  if (next === undefined && row.fundingRate === undefined) {
    const detail = `${row.venue} states neither a funding time nor a rate for ${pair.ticker} at the moment`;
    return fail({ code: 'no_data', detail });
  }
  const body: FundingNext = {
    venue: row.venue,
    ticker: pair.ticker,
    canonical_id: pair.canonicalId,
    ...contractName(row),
    ...marketHours(row),
    next_funding_time: next === undefined ? null : iso(next),
    funding_interval_hours: row.fundingIntervalHours ?? null,
    current_rate: row.fundingRate ?? null,
    ...fundingBounds(row),
    mark_price: row.markPrice ?? null,
    updated_at: iso(fundingTime(row)),
    ...rateTime(row),
    ...markTime(row),
  };
  const explained = withReasons(body, {
    ...NO_BOUNDS,
    next_funding_time: noNextFunding(row, pair.venue.info),
    funding_interval_hours: 'interval_unknown',
  });
  return ok(productAnswer(explained, [row], [row.venue], fundingTime));
}
