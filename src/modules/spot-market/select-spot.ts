import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { Ports } from '../../products/define-product.ts';
import { type AskedAsset, selectAsset } from '../../products/rows/select.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { SpotRow } from './market/spot-table.ts';
import { SPOT_SIDE, type SpotSide } from './port.ts';
import { SPOT_PERIODS } from './spot-collector.ts';

/** Values of spot that are older are in no answer, ms. */
export const SPOT_LIMIT_MS = MINUTE_MS;

/** The spot side of one asset, at this moment. */
export interface FoundSpot {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly side: SpotSide;
  /** Rows that are young enough, by venue and symbol. */
  readonly rows: readonly SpotRow[];
  /** Markets of the name that stand at another price than the perpetuals. */
  readonly apart: number;
  readonly venues: readonly VenueId[];
}

/**
 * Finds the spot markets of an asset. Failures of names as elsewhere; 503 where the spot tickers of no venue are young enough, 404
 * no_data where those that are have no market of it.
 */
export function findSpot(asked: AskedAsset, { market, clock, readPort }: Ports): Result<FoundSpot> {
  const asset = selectAsset(market, asked);
  if (!asset.ok) return asset;
  const side = readPort(SPOT_SIDE);
  if (side === undefined) return fail(notRead('This process does not read spot markets'));
  const since = clock.now() - SPOT_LIMIT_MS;
  const venues = side.spot.venues();
  if (!venues.some(({ tickersAt }) => tickersAt !== undefined && tickersAt >= since))
    return fail(notRead('No spot tickers have been received within a minute'));
  const { canonicalId, ticker } = asset.value;
  const rows = side.spot
    .rowsOf(canonicalId, market)
    .filter(({ receivedAt }) => receivedAt >= since)
    .toSorted(bySymbol);
  const apart = side.spot.apart(canonicalId, market);
  const found = { ticker, canonicalId, side, rows, apart, venues: venues.map(({ venue }) => venue) };
  return rows.length > 0 ? ok(found) : fail(noMarket(found));
}

const placeOf = ({ market: { venue, symbol } }: SpotRow): string => `${venue}\t${symbol}`;
const bySymbol = (a: SpotRow, b: SpotRow): number => (placeOf(a) < placeOf(b) ? -1 : 1);

const notRead = (detail: string): Failure => ({
  code: 'not_ready',
  detail,
  retryAfterSeconds: SPOT_PERIODS.tickers / 1000,
});

const noMarket = ({ canonicalId, apart }: Pick<FoundSpot, 'canonicalId' | 'apart'>): Failure => ({
  code: 'no_data',
  detail:
    apart === 0
      ? `No spot market in dollars of ${canonicalId} is known`
      : `${apart} spot markets of the name of ${canonicalId} stand at another price than its perpetuals`,
});
