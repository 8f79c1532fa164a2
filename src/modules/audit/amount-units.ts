import { median } from '../../domain/median.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { ContractState, QuoteField } from '../../market/contract.ts';
import type { ContractStates } from '../../market/live-table.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { Breaches } from './breaches.ts';
import { dollars, timeOf, valueIn } from './contract-memory.ts';
import { type ComparedAmount, wrongUnit } from './rules/amount-unit.ts';
import { MIN_OPEN_INTEREST_USD } from './rules/turnover.ts';

export const AMOUNT_UNIT = 'amount_unit';

/** Amounts that were not stated for so long are not held against others. */
const COMPARED_MS = 15 * MINUTE_MS;
/** Other venues that have to state an asset's amount. */
const MIN_OTHERS = 2;

const METRICS: readonly {
  readonly field: string;
  readonly base: QuoteField;
  readonly usd: QuoteField;
}[] = [
  { field: 'open_interest', base: 'openInterestBase', usd: 'openInterestUsd' },
  { field: 'volume_24h', base: 'volume24hBase', usd: 'volume24hUsd' },
];
type Metric = (typeof METRICS)[number];

/** A contract with its amount in USD, of an asset that is known. */
interface Stating {
  readonly venue: VenueId;
  readonly state: ContractState;
  readonly canonicalId: string;
  readonly usd: number;
}

/**
 * Holds the amounts of each venue against those of the same assets at others, and flags every contract of a venue whose amounts
 * are in another unit than the one they are read in. One part for each venue.
 */
export function* judgeAmountUnits(
  venues: Iterable<VenueId>,
  contracts: ContractStates,
  breaches: Breaches,
  now: UnixMs,
): Generator<undefined> {
  const all = [...venues];
  const compared: ComparedOf[] = [];
  for (const metric of METRICS) {
    const stating = new Map(all.map((venue) => [venue, statingOf(venue, contracts, metric, now)]));
    const byAsset = amountsByAsset(stating.values());
    yield;
    const ofVenues = new Map<VenueId, readonly ComparedAmount[]>();
    for (const [venue, own] of stating) {
      ofVenues.set(
        venue,
        own.flatMap((each) => comparedOf(each, byAsset.get(each.canonicalId)) ?? []),
      );
      yield;
    }
    compared.push({ field: metric.field, stating, ofVenues });
  }
  for (const metric of compared) {
    const beside = compared.find((other) => other !== metric);
    for (const venue of all) {
      flagWrong(venue, metric, beside?.ofVenues.get(venue) ?? [], breaches, now);
      yield;
    }
  }
}

/** One amount of all venues, held against the others. */
interface ComparedOf {
  readonly field: string;
  readonly stating: ReadonlyMap<VenueId, readonly Stating[]>;
  readonly ofVenues: ReadonlyMap<VenueId, readonly ComparedAmount[]>;
}

function flagWrong(
  venue: VenueId,
  { field, stating, ofVenues }: ComparedOf,
  beside: readonly ComparedAmount[],
  breaches: Breaches,
  now: UnixMs,
): void {
  const compared = ofVenues.get(venue) ?? [];
  const wrong = wrongUnit(compared, beside);
  if (wrong === undefined) return;
  const evidence = `${wrong}: so ${compared.length} contracts say beside other venues'`;
  for (const { state } of stating.get(venue) ?? []) {
    const contract = state.instrument.symbol;
    breaches.broken({ rule: AMOUNT_UNIT, venue, field, contract, evidence }, now, true);
  }
}

function statingOf(
  venue: VenueId,
  contracts: ContractStates,
  { base, usd: money }: Metric,
  now: UnixMs,
): readonly Stating[] {
  const stating: Stating[] = [];
  contracts.each(venue, (state) => {
    const canonicalId = state.assignment?.canonicalId;
    const at = Math.max(timeOf(state, base), timeOf(state, money));
    const usd = dollars(state, base, money);
    if (canonicalId !== undefined && usd > 0 && now - at <= COMPARED_MS)
      stating.push({ venue, state, canonicalId, usd });
  });
  return stating;
}

/** The sum of each venue's contracts of an asset, US dollars. */
function amountsByAsset(
  stating: Iterable<readonly Stating[]>,
): ReadonlyMap<string, ReadonlyMap<VenueId, number>> {
  const byAsset = new Map<string, Map<VenueId, number>>();
  for (const list of stating) {
    for (const { venue, canonicalId, usd } of list) {
      const ofAsset = byAsset.get(canonicalId) ?? new Map<VenueId, number>();
      byAsset.set(canonicalId, ofAsset.set(venue, (ofAsset.get(venue) ?? 0) + usd));
    }
  }
  return byAsset;
}

/** Undefined where too few other venues state the amount, or together too little. */
function comparedOf(
  { venue, state, usd }: Stating,
  ofAsset: ReadonlyMap<VenueId, number> | undefined,
): ComparedAmount | undefined {
  const others = [...(ofAsset ?? [])].flatMap(([other, amount]) => (other === venue ? [] : [amount]));
  const { contractSize, multiplier } = state.instrument;
  const price = valueIn(state, 'markPrice') * multiplier;
  const middle = Math.exp(median(others.map(Math.log)));
  const isEnough = others.length >= MIN_OTHERS && middle >= MIN_OPEN_INTEREST_USD;
  if (!isEnough || !(price > 0) || !(contractSize > 0)) return undefined;
  return {
    own: Math.log(usd),
    others: Math.log(middle),
    largest: Math.log(Math.max(...others)),
    price: Math.log(price),
    contractSize: Math.log(contractSize),
  };
}
