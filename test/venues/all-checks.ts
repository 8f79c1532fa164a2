import { DECLARATION_CHECKS } from './declaration-checks.ts';
import { PAYLOAD_CHECKS } from './payload-checks.ts';
import { VENUE_CHECKS, type VenueCheck } from './venue-checks.ts';

/** All checks of one venue, with their numbers in docs/contributing/venue-checks.md. */
export const ALL_CHECKS: readonly VenueCheck[] = [
  ...VENUE_CHECKS,
  ...DECLARATION_CHECKS,
  ...PAYLOAD_CHECKS,
].map((check, i) => ({
  ...check,
  name: `${i + 1}. ${check.name}`,
}));

/** The check that needs the venue's own error response. */
export const ERROR_CHECK = `${ALL_CHECKS.length + 1}. rejects error bodies that come with HTTP 200`;

/** The check of a host, whichever venues share it. */
export const LIMIT_CHECK = `${ALL_CHECKS.length + 2}. keeps the weight of its polls within the limit`;
