import type { Failure } from '../../domain/errors.ts';
import type { MarketRow, MarketView } from '../../market/view.ts';
import { type VenueCoverage, venueCoverage } from '../answer/venue-coverage.ts';
import { type AssetRows, collectedVenues, notReady } from './select.ts';

/** Venues that a comparison needs: what one venue says is compared with nothing. */
const FEWEST_VENUES = 2;

/** Venues whose rows a scan over all assets looks at. */
export function scanCoverage(view: MarketView, looksAt: (row: MarketRow) => boolean): VenueCoverage {
  return venueCoverage(collectedVenues(view), view.rows().filter(looksAt));
}

/**
 * 503 not_ready where fewer than two venues have a fresh value although others could have one: that nothing was found would
 * not say that there is nothing. Undefined where a single venue lists what is asked for, and has it.
 *
 * @param what the kind of value that is looked at
 */
export function tooNarrow({ listed, considered }: VenueCoverage, what: string): Failure | undefined {
  if (considered.size >= FEWEST_VENUES || listed.length <= considered.size) return undefined;
  return notReady(`A fresh ${what} is known of ${considered.size} of ${listed.length} venues`, listed);
}

/** The same of a scan that compares venues: besides, 404 single_venue where no second one is collected. */
export function scanTooNarrow(coverage: VenueCoverage, what: string): Failure | undefined {
  const [only, other] = coverage.listed;
  if (only === undefined || other !== undefined) return tooNarrow(coverage, what);
  return {
    code: 'single_venue',
    detail: `Only ${only.info.id} is collected among the venues asked about: nothing can be compared`,
  };
}

/**
 * 503 not_ready of an answer about one asset over its venues that would rest on fewer than two of them, although another one
 * lists the asset and is only late: it is not live, or its value has grown too old. Undefined where nobody else is to come.
 *
 * @param what the kind of value that the answer is about
 * @param isLate finds a row that would count if it were younger
 */
export function assetTooNarrow(
  { rows, canonicalId }: AssetRows,
  { listed, considered }: VenueCoverage,
  what: string,
  isLate: (row: MarketRow) => boolean,
): Failure | undefined {
  if (considered.size >= FEWEST_VENUES) return undefined;
  const late = new Set(rows.filter(isLate).map(({ venue }) => venue));
  const awaited = listed.filter(
    ({ info, status }) => !considered.has(info.id) && (status !== 'live' || late.has(info.id)),
  );
  if (awaited.length === 0) return undefined;
  const detail = `A fresh comparable ${what} of ${canonicalId} is known of ${considered.size} of ${listed.length} venues that list it`;
  return notReady(detail, awaited);
}
