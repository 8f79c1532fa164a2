import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { Ports } from '../../products/define-product.ts';
import { type AskedAsset, selectAsset } from '../../products/rows/select.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { LeftOut, SpotRow } from './market/spot-table.ts';
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
  /** Markets of the name that are not offered as the asset. */
  readonly leftOut: LeftOut;
  readonly venues: readonly VenueId[];
}

/**
 * Finds the spot markets of an asset, of the part of the market that an answer is held to. Failures of names as elsewhere; 503 where
 * the spot tickers of no venue are young enough, 404 no_data where those that are have no market of it.
 */
export function findSpot(asked: AskedAsset, ports: Ports): Result<FoundSpot> {
  const { market } = ports;
  const asset = selectAsset(market, asked);
  if (!asset.ok) return asset;
  const side = readSide(ports);
  if (!side.ok) return fail(side.error);
  const { canonicalId, ticker } = asset.value;
  const rows = chosenSpot(side.value, ports)(canonicalId).toSorted(bySymbol);
  const since = asMs(ports.clock.now() - SPOT_LIMIT_MS);
  const leftOut = side.value.spot.leftOut(canonicalId, wholeOf(market), since);
  const venues = side.value.spot.venues().flatMap(({ venue }) => (hasVenue(market, venue) ? [venue] : []));
  const found = { ticker, canonicalId, side: side.value, rows, leftOut, venues };
  return rows.length > 0 ? ok(found) : fail(noneChosen(found, market));
}

type Market = Ports['market'];

/** Prices are held against the indexes of all venues, whichever an answer is held to. */
const wholeOf = (market: Market) => market.whole ?? market;

/** True if an answer may have the venue: a part of the market knows its own venues alone. */
const hasVenue = (market: Market, venue: VenueId): boolean =>
  market.whole === undefined || market.venue(venue) !== undefined;

const isAsked = (market: Market, { market: { venue, quote } }: SpotRow): boolean =>
  hasVenue(market, venue) && (market.takesQuote?.(quote) ?? true);

/** 503 where this process reads no spot, or the tickers of no venue are young enough. */
export function readSide({ clock, readPort }: Pick<Ports, 'clock' | 'readPort'>): Result<SpotSide> {
  const side = readPort(SPOT_SIDE);
  if (side === undefined) return fail(notRead('This process does not read spot markets'));
  const since = clock.now() - SPOT_LIMIT_MS;
  const isYoung = side.spot.venues().some(({ tickersAt }) => tickersAt !== undefined && tickersAt >= since);
  return isYoung ? ok(side) : fail(notRead('No spot tickers have been received within a minute'));
}

/** Finds an asset's spot markets that are young enough, of the venues and quote currencies that the answer is held to. */
export function chosenSpot({ spot }: SpotSide, { market, clock }: Pick<Ports, 'market' | 'clock'>) {
  const since = clock.now() - SPOT_LIMIT_MS;
  const isChosen = (row: SpotRow): boolean => row.receivedAt >= since && isAsked(market, row);
  return (canonicalId: string): readonly SpotRow[] =>
    spot.rowsOf(canonicalId, wholeOf(market)).filter(isChosen);
}

const placeOf = ({ market: { venue, symbol } }: SpotRow): string => `${venue}\t${symbol}`;
const bySymbol = (a: SpotRow, b: SpotRow): number => (placeOf(a) < placeOf(b) ? -1 : 1);

const notRead = (detail: string): Failure => ({
  code: 'not_ready',
  detail,
  retryAfterSeconds: SPOT_PERIODS.tickers / 1000,
});

/** No market is known, or all are too old, or none is of the part of the market that was asked for. */
function noneChosen(found: FoundSpot, market: Market): Failure {
  const { canonicalId, side } = found;
  const known = side.spot.rowsOf(canonicalId, wholeOf(market));
  if (known.length === 0) return noMarket(found);
  if (known.some((row) => isAsked(market, row))) return notRead(tooOld(canonicalId));
  return {
    code: 'no_data',
    detail: `None of ${known.length} spot markets of ${canonicalId} is of the venues and currencies that were asked for`,
  };
}

function noMarket({ canonicalId, leftOut }: Pick<FoundSpot, 'canonicalId' | 'leftOut'>): Failure {
  const { apart, untold, old } = leftOut;
  if (apart > 0) {
    const detail = `${apart} spot markets of the name of ${canonicalId} stand at another price than its perpetuals`;
    return { code: 'no_data', detail };
  }
  if (untold > 0) return notRead(`No index of the perpetuals of ${canonicalId} is of this time`);
  if (old > 0) return notRead(tooOld(canonicalId));
  return { code: 'no_data', detail: `No spot market in dollars of ${canonicalId} is known` };
}

const tooOld = (canonicalId: string): string =>
  `No spot tickers of ${canonicalId} have been received within a minute`;
