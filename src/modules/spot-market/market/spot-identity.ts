import type { Instrument } from '../../../domain/instrument.ts';
import type { Price } from '../../../domain/units.ts';
import { judgeAsset } from '../../../market/comparable.ts';
import { type Assignment, decideIdentity } from '../../../market/decide-identity.ts';
import type { Registry } from '../../../market/registry/lookup.ts';
import type { IdentityBasis } from '../../../market/stores.ts';
import type { MarketView } from '../../../market/view.ts';
import type { SpotMarket } from '../../spot/spot-rows.ts';
import { presentIndex } from './apart.ts';

/** Reasons for which a spot market is offered as no asset's. */
export const SPOT_REFUSALS = [
  /** No venue lists a perpetual of it. */
  'no_perpetual',
  /** The name is an asset's that is no coin. */
  'not_a_coin',
  /** Its price is not that of the perpetuals' index. */
  'price_differs',
  /** No index or mark of its perpetuals is of this time, so that nothing tells it. */
  'no_index',
  /** Assets of one name are at one price. */
  'ambiguous',
  /** Neither a touch of at most 5 % nor a middle or last price is known. */
  'no_price',
] as const;
export type SpotRefusal = (typeof SPOT_REFUSALS)[number];

/** The table of perpetuals, as far as identity needs it. */
export type PerpTable = Pick<MarketView, 'rowsOf' | 'identitiesOf'>;

/** Bases that say which asset a name is, and not only of which class. */
const NAMED: ReadonlySet<IdentityBasis> = new Set(['venue_name', 'registry', 'price']);

/** A spot market in the form in which the rules of identity read contracts. It is a coin: tokens of shares are left out before. */
function asInstrument({
  venue,
  symbol,
  base,
  ticker,
  multiplier,
  nameReading,
  quote,
}: SpotMarket): Instrument {
  // A venue that spells all names in small letters tells nothing by them of coins that differ in case alone.
  const spelled = base === base.toLowerCase() ? ticker : base;
  const reading = nameReading === undefined ? {} : { nameReading };
  const names = { venue, symbol, base: spelled, ticker, quote, settle: quote };
  return { ...names, ...reading, multiplier, contractSize: 1, assetClass: 'crypto' };
}

/**
 * The assets that a spot market may be of, by its name: one where the registry knows the name, with what was split off it; else
 * all coins that venues list under the name.
 *
 * @param price per coin, for names that the price alone tells apart
 */
export function assetsByName(
  registry: Registry,
  table: PerpTable,
  market: SpotMarket,
  price: Price,
): readonly string[] | SpotRefusal {
  const decided = decideIdentity(registry, asInstrument(market), price);
  if (decided === 'needs_price') return 'no_price';
  if (decided.assetClass !== 'crypto') return 'not_a_coin';
  const listed = candidatesOf(table, decided, market.ticker).filter(
    (canonicalId) => table.rowsOf(canonicalId).length > 0,
  );
  return listed.length === 0 ? 'no_perpetual' : listed;
}

function candidatesOf(
  table: PerpTable,
  { canonicalId, basis }: Assignment,
  ticker: string,
): readonly string[] {
  const named = table.identitiesOf(ticker).filter((id) => id.startsWith('crypto:'));
  const isOwn = (id: string): boolean => id.startsWith(`${canonicalId}~`);
  return [...new Set([canonicalId, ...(NAMED.has(basis) ? named.filter(isOwn) : named)])];
}

/** The place of a price of spot: at that of the perpetuals, elsewhere, or not to be told. */
export type Standing = 'near' | 'apart' | 'unknown';

/**
 * Tells whether a price of spot is one of the asset's perpetuals: within the limit of dispersion of the indexes of their comparable
 * rows, or of their marks where none has an index. It is held against them, and is no measure of them. Only prices of this time
 * count: beside older ones it would differ by what has happened since.
 */
export function standingAt(
  table: PerpTable,
  canonicalId: string,
): (price: Price, multiplier: number) => Standing {
  const rows = table.rowsOf(canonicalId).filter(({ comparable, fresh }) => comparable && fresh);
  const indexed = rows.filter((row) => presentIndex(row) !== undefined);
  const known = indexed.length > 0 ? indexed : rows;
  if (known.length === 0) return () => 'unknown';
  const sound = { identityCertain: true, dead: false, placeholder: false, fresh: true };
  const perps = known.map((row) => ({ ...sound, mark: presentIndex(row) ?? row.markPrice }));
  return (price, multiplier) => {
    const spot = { ...sound, mark: price, unconfirmed: multiplier };
    return judgeAsset([...perps, spot], 'crypto').at(-1) === undefined ? 'near' : 'apart';
  };
}

/** The asset of a spot market, by its name and then by its price; or why it is offered as none. */
export function assetOfSpot(
  registry: Registry,
  table: PerpTable,
  market: SpotMarket,
  price: Price | undefined,
): { readonly canonicalId: string } | SpotRefusal {
  if (price === undefined) return 'no_price';
  const named = assetsByName(registry, table, market, price);
  if (typeof named === 'string') return named;
  const standings = named.map((id) => ({ id, is: standingAt(table, id)(price, market.multiplier) }));
  const [fitting, other] = standings.filter(({ is }) => is === 'near');
  if (fitting === undefined)
    return standings.some(({ is }) => is === 'unknown') ? 'no_index' : 'price_differs';
  return other === undefined ? { canonicalId: fitting.id } : 'ambiguous';
}
