import { assetsList } from '../products/assets.ts';
import { backtestData } from '../products/backtest-data.ts';
import { dataQualityUnits } from '../products/data-quality-units.ts';
import type { Product } from '../products/define-product.ts';
import { freeMatrix } from '../products/free-matrix.ts';
import { freePair } from '../products/free-pair.ts';
import { fundingCurrent } from '../products/funding-current.ts';
import { fundingHistorical } from '../products/funding-historical.ts';
import { fundingSpreadSymbol } from '../products/funding-spread-symbol.ts';
import { orderbookAggregate } from '../products/orderbook-aggregate.ts';
import { orderbookBestExecution } from '../products/orderbook-best-execution.ts';
import { orderbookDepth } from '../products/orderbook-depth.ts';
import { orderbookMultiVenueExecution } from '../products/orderbook-multi-venue-execution.ts';
import { orderbookMultiVenueSlippage } from '../products/orderbook-multi-venue-slippage.ts';
import { orderbookTop } from '../products/orderbook-top.ts';
import { perpArbitrageFunding } from '../products/perp-arbitrage-funding.ts';
import { perpArbitrageFundingSignal } from '../products/perp-arbitrage-funding-signal.ts';
import { perpArbitragePrice } from '../products/perp-arbitrage-price.ts';
import { perpBasis } from '../products/perp-basis.ts';
import { perpCarry } from '../products/perp-carry.ts';
import { perpFundingFlips } from '../products/perp-funding-flips.ts';
import { perpFundingHeatmap } from '../products/perp-funding-heatmap.ts';
import { perpFundingNext } from '../products/perp-funding-next.ts';
import { perpFundingSpread } from '../products/perp-funding-spread.ts';
import { perpFundingStats } from '../products/perp-funding-stats.ts';
import { perpOiDelta } from '../products/perp-oi-delta.ts';
import { perpOiHistory } from '../products/perp-oi-history.ts';
import { perpOpenInterest } from '../products/perp-open-interest.ts';
import { perpOracleFamilies } from '../products/perp-oracle-families.ts';
import { perpSnapshot } from '../products/perp-snapshot.ts';
import { perpSpreadStats } from '../products/perp-spread-stats.ts';
import { perpVolume24h } from '../products/perp-volume-24h.ts';
import { perpVolumeAnomalies } from '../products/perp-volume-anomalies.ts';
import { perpVolumeHistory } from '../products/perp-volume-history.ts';
import { perpVwSpread } from '../products/perp-vw-spread.ts';
import { previewFundingCurrent } from '../products/preview-funding-current.ts';
import { previewFundingSignal } from '../products/preview-funding-signal.ts';
import { rwaPerpCoverage } from '../products/rwa-perp-coverage.ts';
import { venuesHealth } from '../products/venues-health.ts';
import { venuesList } from '../products/venues-list.ts';
import { discoveryResources, discoverySearch } from './documents/discovery.ts';
import { errorByCode, errorIndex } from './documents/errors.ts';
import { health } from './documents/health.ts';
import { icon } from './documents/icon.ts';
import { llms } from './documents/llms.ts';
import { openapi } from './documents/openapi.ts';
import { previewUpgrade } from './documents/preview-upgrade.ts';
import { pricingChangelog } from './documents/pricing-changelog.ts';
import { wellKnownCatalog, wellKnownFanOut } from './documents/well-known.ts';
import type { Services } from './route.ts';

/** Products and documents of the core, in the order in which documents name them. A path that is not built is not in it. */
export const CORE_PRODUCTS: readonly Product<Services>[] = [
  venuesList,
  venuesHealth,
  assetsList,
  health,
  dataQualityUnits,
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
  perpFundingStats,
  perpSpreadStats,
  perpFundingHeatmap,
  backtestData,
  previewFundingSignal,
  previewFundingCurrent,
  previewUpgrade,
  freeMatrix,
  freePair,
  discoveryResources,
  discoverySearch,
  wellKnownCatalog,
  wellKnownFanOut,
  pricingChangelog,
  openapi,
  llms,
  icon,
  errorIndex,
  errorByCode,
];
