import type { Route } from './route.ts';
import { backtestData } from './routes/backtest-data.ts';
import { discoveryResources } from './routes/discovery-resources.ts';
import { discoverySearch } from './routes/discovery-search.ts';
import { fundingCurrent } from './routes/funding-current.ts';
import { fundingHistorical } from './routes/funding-historical.ts';
import { fundingSpreadSymbol } from './routes/funding-spread-symbol.ts';
import { health } from './routes/health.ts';
import { icon } from './routes/icon.ts';
import { llms } from './routes/llms.ts';
import { openapi } from './routes/openapi.ts';
import { orderbookAggregate } from './routes/orderbook-aggregate.ts';
import { orderbookBestExecution } from './routes/orderbook-best-execution.ts';
import { orderbookDepth } from './routes/orderbook-depth.ts';
import { orderbookMultiVenueExecution } from './routes/orderbook-multi-venue-execution.ts';
import { orderbookMultiVenueSlippage } from './routes/orderbook-multi-venue-slippage.ts';
import { orderbookTop } from './routes/orderbook-top.ts';
import { perpArbitrageFunding } from './routes/perp-arbitrage-funding.ts';
import { perpArbitrageFundingSignal } from './routes/perp-arbitrage-funding-signal.ts';
import { perpArbitragePrice } from './routes/perp-arbitrage-price.ts';
import { perpBasis } from './routes/perp-basis.ts';
import { perpCarry } from './routes/perp-carry.ts';
import { perpFundingFlips } from './routes/perp-funding-flips.ts';
import { perpFundingNext } from './routes/perp-funding-next.ts';
import { perpFundingSpread } from './routes/perp-funding-spread.ts';
import { perpOiDelta } from './routes/perp-oi-delta.ts';
import { perpOiHistory } from './routes/perp-oi-history.ts';
import { perpOpenInterest } from './routes/perp-open-interest.ts';
import { perpOracleFamilies } from './routes/perp-oracle-families.ts';
import { perpSnapshot } from './routes/perp-snapshot.ts';
import { perpVolume24h } from './routes/perp-volume-24h.ts';
import { perpVolumeAnomalies } from './routes/perp-volume-anomalies.ts';
import { perpVolumeHistory } from './routes/perp-volume-history.ts';
import { perpVwSpread } from './routes/perp-vw-spread.ts';
import { previewFundingCurrent } from './routes/preview-funding-current.ts';
import { previewFundingSignal } from './routes/preview-funding-signal.ts';
import { previewUpgrade } from './routes/preview-upgrade.ts';
import { pricingChangelog } from './routes/pricing-changelog.ts';
import { rwaPerpCoverage } from './routes/rwa-perp-coverage.ts';
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
  fundingSpreadSymbol,
  perpFundingSpread,
  perpFundingNext,
  perpOpenInterest,
  perpCarry,
  perpBasis,
  perpArbitrageFunding,
  perpArbitrageFundingSignal,
  perpArbitragePrice,
  perpSnapshot,
  perpVolume24h,
  perpVwSpread,
  perpOracleFamilies,
  rwaPerpCoverage,
  orderbookAggregate,
  orderbookTop,
  orderbookDepth,
  orderbookBestExecution,
  orderbookMultiVenueSlippage,
  orderbookMultiVenueExecution,
  fundingHistorical,
  perpFundingFlips,
  perpOiDelta,
  perpOiHistory,
  perpVolumeHistory,
  perpVolumeAnomalies,
  backtestData,
  previewFundingSignal,
  previewFundingCurrent,
  previewUpgrade,
  discoveryResources,
  discoverySearch,
  wellKnownCatalog,
  wellKnownFanOut,
  pricingChangelog,
  openapi,
  llms,
  icon,
];
