import Type, { type Static } from 'typebox';
import { unitsNote } from '../domain/amount.ts';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { sumOf } from '../market/venue-totals.ts';
import { type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-open-interest.json' with { type: 'json' };
import { findPair, pairQuery } from './rows/asked.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import { marketHours, marketHoursFields } from './rows/market-hours.ts';
import type { Pair } from './rows/select.ts';
import {
  interestTime,
  interestTimeField,
  markTime,
  markTimeField,
  openInterestTime,
} from './rows/value-times.ts';
import { contractsBy } from './rows/venue-contracts.ts';

const answer = Type.Object({
  venue: venueName,
  ticker: tickerName,
  canonical_id: canonicalIdName,
  ...contractFields,
  ...marketHoursFields,
  open_interest_raw: nullable(number('The venue’s own number; units_note says what it counts')),
  open_interest_base: nullable(number('Units of the base asset')),
  open_interest_usd: nullable(number('US dollars at the mark price')),
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  contracts: integer('Contracts of the asset on the venue that the totals count'),
  total_open_interest_base: nullable(number('All of them, units of the base asset')),
  total_open_interest_usd: nullable(number('All of them, US dollars')),
  counted_contracts: Type.Array(
    Type.Object({
      ...contractFields,
      open_interest_base: nullable(number('Units of the base asset')),
      open_interest_usd: nullable(number('US dollars')),
    }),
    { description: 'These contracts, the largest first: the totals are the sums of what they state' },
  ),
  updated_at: timestamp('Time of the open interest'),
  ...interestTimeField,
  ...markTimeField,
  units_note: text('What the figures count'),
});

type OpenInterest = Static<typeof answer>;

export const perpOpenInterest = defineProduct({
  id: 'perp-open-interest',
  path: '/v1/perp/open-interest',
  access: 'paid',
  summary: 'Open interest on a venue',
  description:
    'Open interest of one ticker on one venue: the venue’s own number with a note on what it counts, and the same in units of the base asset and in US dollars, so that venues can be compared.',
  tags: ['open-interest', 'perpetual-futures'],
  dependsOn: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: pairQuery,
  answer,
  example: { request: '/v1/perp/open-interest?venue=binance&ticker=BTC', answer: example },
  find: findPair,
  compute: openInterest,
});

/**
 * Open interest of one pair, stated by the venue at most 15 minutes ago; base and USD follow from each other by the
 * mark where the venue states one. 404 no_data when it states none.
 */
export function openInterest(pair: Pair): Result<ProductAnswer<OpenInterest>> {
  const { row, venue } = pair;
  if (row.openInterestUpdatedAt === undefined) {
    const detail = `${row.venue} has stated no open interest for ${pair.ticker} in the last 15 minutes`;
    return fail({ code: 'no_data', detail });
  }
  const totals = sumOf(pair.contracts);
  const body: OpenInterest = {
    venue: row.venue,
    ticker: pair.ticker,
    canonical_id: pair.canonicalId,
    ...contractName(row),
    ...marketHours(row),
    open_interest_raw: row.openInterestRaw ?? null,
    open_interest_base: row.openInterestBase ?? null,
    open_interest_usd: row.openInterestUsd ?? null,
    mark_price: row.markPrice ?? null,
    contracts: totals.contracts,
    total_open_interest_base: totals.openInterestBase ?? null,
    total_open_interest_usd: totals.openInterestUsd ?? null,
    counted_contracts: contractsBy(pair.contracts, (contract) => contract.openInterestUsd).map(
      (contract) => ({
        ...contractName(contract),
        open_interest_base: contract.openInterestBase ?? null,
        open_interest_usd: contract.openInterestUsd ?? null,
      }),
    ),
    updated_at: iso(openInterestTime(row)),
    ...interestTime(row),
    ...markTime(row),
    units_note: unitsNote('open_interest', venue.info.openInterest),
  };
  return ok(productAnswer(body, [row], [row.venue], openInterestTime));
}
