import type { Route } from './route.ts';
import { discoveryResources } from './routes/discovery-resources.ts';
import { fundingCurrent } from './routes/funding-current.ts';
import { health } from './routes/health.ts';
import { icon } from './routes/icon.ts';
import { openapi } from './routes/openapi.ts';
import { previewFundingCurrent } from './routes/preview-funding-current.ts';
import { previewUpgrade } from './routes/preview-upgrade.ts';
import { pricingChangelog } from './routes/pricing-changelog.ts';
import { venuesHealth } from './routes/venues-health.ts';
import { venuesList } from './routes/venues-list.ts';
import { wellKnownCatalog, wellKnownFanOut } from './routes/well-known.ts';

/**
 * The one table of routes. Challenges, prices' conformance, the catalog, OpenAPI and the tests are made from it.
 * A path that is not built is not in it.
 */
export const ROUTES: readonly Route[] = [
  venuesList,
  venuesHealth,
  health,
  fundingCurrent,
  previewFundingCurrent,
  previewUpgrade,
  discoveryResources,
  wellKnownCatalog,
  wellKnownFanOut,
  pricingChangelog,
  openapi,
  icon,
];
