import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import type { VenueInfo } from '../../domain/venue.ts';
import type { ListedContract, MarketRow } from '../../market/view.ts';
import { type NullReason, nullReasons, withReasons } from '../../products/answer/null-reason.ts';
import {
  assetClass,
  canonicalIdName,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../../products/answer/schema.ts';
import { intervalHours } from '../../products/funding/funding-row.ts';
import {
  contractTerms,
  contractTermsFields,
  noTerms,
  type TermedContract,
} from '../../products/rows/contract-terms.ts';
import { marketHours, marketHoursFields } from '../../products/rows/market-hours.ts';

/** A contract as the list of the venue states it. */
export const contractRowSchema = Type.Object({
  venue: venueName,
  venue_symbol: text("The venue's own symbol of the contract"),
  ticker: tickerName,
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  aliases: Type.Array(Type.String(), { description: 'Further names of the asset' }),
  base: nullable(text('The base as the venue names it')),
  quote: nullable(text('Currency that its prices are quoted in')),
  settle: nullable(text('Currency that it is settled in')),
  multiplier: nullable(number('Units of the ticker in one unit of the base as the venue names it')),
  taker_fee_bps: nullable(number('Taker fee of the base tier, basis points')),
  funding_interval_hours: intervalHours,
  ...contractTermsFields,
  ...marketHoursFields,
  first_seen_at: timestamp('Since when this service has seen it listed as this asset'),
  last_seen_at: nullable(
    timestamp('When it was found to be listed no more, or to be another asset; null while it is listed'),
  ),
  ...nullReasons,
});

type ContractRow = Static<typeof contractRowSchema>;

/** Sources of a row beside the contract itself. */
export interface ContractSources {
  /** True of a contract as it was listed at a moment of the past: its terms of now are not shown. */
  readonly isPast: boolean;
  /** Its row of now, where there is one. */
  readonly row: MarketRow | undefined;
  readonly info: VenueInfo | undefined;
  readonly aliases: readonly string[];
}

/** Fields that are the contract's own facts of now, and not stored over time. */
const NOT_STORED = [
  'base',
  'quote',
  'settle',
  'multiplier',
  'taker_fee_bps',
  'funding_interval_hours',
  ...Object.keys(contractTermsFields),
] as const;

const NOT_STORED_THEN = Object.fromEntries(NOT_STORED.map((field) => [field, 'not_stored_then' as const]));

/** A contract as an answer lists it. */
export function contractRow(contract: ListedContract, sources: ContractSources): ContractRow {
  const { venue, symbol, ticker, canonicalId, assetClass, seenFrom, seenUntil } = contract;
  const { isPast, row, info, aliases } = sources;
  const instrument = isPast ? undefined : contract.instrument;
  const termed: TermedContract = isPast ? {} : { ...statedBy(contract), ...row };
  const body: ContractRow = {
    venue,
    venue_symbol: symbol,
    ticker,
    canonical_id: canonicalId,
    asset_class: assetClass,
    aliases: [...aliases],
    base: instrument?.base ?? null,
    quote: instrument?.quote ?? null,
    settle: instrument?.settle ?? null,
    multiplier: instrument?.multiplier ?? null,
    taker_fee_bps: (instrument && (instrument.takerFeeBps ?? info?.takerFeeBps)) ?? null,
    funding_interval_hours: row?.fundingIntervalHours ?? instrument?.fundingIntervalHours ?? null,
    ...contractTerms(termed),
    ...(row !== undefined && marketHours(row)),
    first_seen_at: iso(seenFrom),
    last_seen_at: seenUntil === undefined ? null : iso(seenUntil),
  };
  return withReasons(body, reasonsOf(termed, sources));
}

/** The contract's terms by the list alone, for one without a row that is young enough. */
function statedBy({ instrument }: ListedContract): TermedContract {
  if (instrument === undefined) return {};
  const { multiplier, contractSize, terms, fundingCap, fundingFloor, listedAt } = instrument;
  return { contractSize: multiplier * contractSize, terms, fundingCap, fundingFloor, listedAt };
}

function reasonsOf(
  contract: TermedContract,
  { isPast, info }: ContractSources,
): Readonly<Record<string, NullReason>> {
  const still = { last_seen_at: 'still_listed' } as const;
  if (isPast) return { ...NOT_STORED_THEN, ...still };
  return { funding_interval_hours: 'interval_unknown', ...noTerms(contract, info), ...still };
}
