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
import example from './examples/perp-volume-24h.json' with { type: 'json' };
import { findPair, pairQuery } from './rows/asked.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import { marketHours, marketHoursFields } from './rows/market-hours.ts';
import type { Pair } from './rows/select.ts';
import { markTime, markTimeField, volumeTime } from './rows/value-times.ts';
import { contractsBy } from './rows/venue-contracts.ts';

const answer = Type.Object({
  venue: venueName,
  ticker: tickerName,
  canonical_id: canonicalIdName,
  ...contractFields,
  ...marketHoursFields,
  volume_24h_raw: nullable(number('The venue’s own number; units_note says what it counts')),
  volume_24h_base: nullable(number('Units of the base asset')),
  volume_24h_usd: nullable(number('US dollars')),
  units_note: text('What the figures count'),
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  contracts: integer('Contracts of the asset on the venue that the totals count'),
  total_volume_24h_base: nullable(number('All of them, units of the base asset')),
  total_volume_24h_usd: nullable(number('All of them, US dollars')),
  counted_contracts: Type.Array(
    Type.Object({
      ...contractFields,
      volume_24h_base: nullable(number('Units of the base asset')),
      volume_24h_usd: nullable(number('US dollars')),
    }),
    { description: 'These contracts, the largest first: the totals are the sums of what they state' },
  ),
  updated_at: timestamp('Time of the volume'),
  ...markTimeField,
});

type Volume24h = Static<typeof answer>;

export const perpVolume24h = defineProduct({
  id: 'perp-volume-24h',
  path: '/v1/perp/volume-24h',
  access: 'paid',
  summary: 'Traded in 24 hours on a venue',
  description:
    'Rolling 24-hour volume of one ticker on one venue: the venue’s own number with a note on what it counts, and the same in units of the base asset and in US dollars.',
  tags: ['volume', 'perpetual-futures'],
  dependsOn: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: pairQuery,
  answer,
  example: { request: '/v1/perp/volume-24h?venue=binance&ticker=BTC', answer: example },
  find: findPair,
  compute: volume24h,
});

/**
 * Rolling 24 h volume of one pair; base and USD follow from each other by the mark where the venue states one.
 * 404 no_data when it states none.
 */
export function volume24h(pair: Pair): Result<ProductAnswer<Volume24h>> {
  const { row, venue } = pair;
  if ((row.volume24hRaw ?? row.volume24hBase ?? row.volume24hUsd) === undefined) {
    const detail = `${row.venue} has stated no 24 h volume for ${pair.ticker} in the last 15 minutes`;
    return fail({ code: 'no_data', detail });
  }
  const totals = sumOf(pair.contracts);
  const body: Volume24h = {
    venue: row.venue,
    ticker: pair.ticker,
    canonical_id: pair.canonicalId,
    ...contractName(row),
    ...marketHours(row),
    volume_24h_raw: row.volume24hRaw ?? null,
    volume_24h_base: row.volume24hBase ?? null,
    volume_24h_usd: row.volume24hUsd ?? null,
    units_note: unitsNote('volume_24h', venue.info.volume),
    mark_price: row.markPrice ?? null,
    contracts: totals.contracts,
    total_volume_24h_base: totals.volume24hBase ?? null,
    total_volume_24h_usd: totals.volume24hUsd ?? null,
    counted_contracts: contractsBy(pair.contracts, (contract) => contract.volume24hUsd).map((contract) => ({
      ...contractName(contract),
      volume_24h_base: contract.volume24hBase ?? null,
      volume_24h_usd: contract.volume24hUsd ?? null,
    })),
    updated_at: iso(volumeTime(row)),
    ...markTime(row),
  };
  return ok(productAnswer(body, [row], [row.venue], volumeTime));
}
