import { badParameter, type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { ReadPort } from '../../runtime/port.ts';
import { SPOT_PAST } from './port.ts';
import type { MarketPast, SpotPastView } from './store/spot-past.ts';

/** The quote currencies of spot markets whose past is kept. */
export const SPOT_QUOTES = ['USD', 'USDT', 'USDC'] as const;

/** A span of one venue's spot side of an asset. */
export interface PastScope {
  readonly venue: VenueId;
  readonly canonicalId: string;
  readonly from: UnixMs;
  readonly to: UnixMs;
  /** The quote currency that is asked for; any where absent. */
  readonly quote?: string | undefined;
}

const NOT_KEPT: Failure = {
  code: 'not_ready',
  detail: 'This process keeps no past of spot',
  retryAfterSeconds: 60,
};

/** 503 not_ready in a process that keeps no past of spot. */
export function spotPast(readPort: ReadPort): Result<SpotPastView> {
  const past = readPort(SPOT_PAST);
  return past === undefined ? fail(NOT_KEPT) : ok(past);
}

/**
 * The market that a venue's past of an asset is of: of those in the quote currency that is asked for the one with the most hours
 * in the span, of equals the first by symbol. 404 no_data where no hour is known of any.
 */
export function pastMarket(past: SpotPastView, scope: PastScope): Result<MarketPast> {
  const { venue, canonicalId, from, to, quote } = scope;
  const known = past.pastOf(venue, canonicalId, from, to);
  const asked = known.filter((market) => quote === undefined || market.quote === quote);
  const [first] = asked.toSorted((a, b) => b.hours.size - a.hours.size);
  if (first !== undefined) return ok(first);
  const [other] = known;
  if (other !== undefined)
    return fail({
      ...badParameter(
        'quote',
        `${venue} has no past of ${canonicalId} in ${quote}; it has one in ${other.quote}`,
      ),
      corrections: [{ parameter: 'quote', value: other.quote }],
    });
  const detail = `No hour of a spot market of ${canonicalId} at ${venue} is known in this window`;
  return fail({ code: 'no_data', detail });
}
