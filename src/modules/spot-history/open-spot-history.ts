import { join } from 'node:path';
import type { Host, OpenModule } from '../../host/module.ts';
import { PREVIEW_ASSETS } from '../../products/rows/preview-assets.ts';
import { fill } from '../../runtime/port.ts';
import { systemTimer, type Timer } from '../../runtime/timer.ts';
import { BACKFILL_SETTINGS } from '../backfill/module.ts';
import { SPOT_SIDE, type SpotSide } from '../spot-market/port.ts';
import { CandleFill } from './candles/candle-fill.ts';
import { CANDLE_PLANS } from './candles/candle-plans.ts';
import { offeredMarkets } from './candles/offered-markets.ts';
import { perpPrices } from './candles/perp-prices.ts';
import { HourSampler } from './hour-sampler.ts';
import { spotHistoryMetrics } from './metrics.ts';
import { SPOT_PAST } from './port.ts';
import { openHourStore } from './store/hour-store.ts';
import { KEPT_DAYS, SpotPast } from './store/spot-past.ts';

/**
 * Opens the past of spot where the process reads spot; elsewhere there is none.
 *
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export function openSpotHistory(host: Host, timer: Timer = systemTimer): OpenModule {
  const { readPort, options, market, clock, logger } = host;
  const side = readPort(SPOT_SIDE);
  if (side === undefined) return {};
  const past = new SpotPast(openHourStore(join(options.dataDir, 'spot-hours')));
  const shared = { past, market: market.view, clock, timer, logger };
  const sampler = new HourSampler({ ...shared, spot: side.spot });
  const candles = openFill(host, side, past, timer);
  return {
    metrics: spotHistoryMetrics(sampler, candles),
    ports: [fill(SPOT_PAST, past)],
    start: () => {
      sampler.start();
      candles?.start();
      return undefined;
    },
    stop: async () => {
      await Promise.all([sampler.stop(), candles?.stop()]);
      await past.close();
    },
  };
}

/** The back-fill from candles; undefined where the operator asks nothing of the past, or none of perpetuals is known here. */
function openFill(host: Host, side: SpotSide, past: SpotPast, timer: Timer): CandleFill | undefined {
  const { market, clock, logger, history, load, options } = host;
  const days = Math.min(host.settings(BACKFILL_SETTINGS).backfillDays, KEPT_DAYS);
  if (history === undefined || days === 0) return undefined;
  const sides = { spot: side.spot, market: market.view, priorityAssets: PREVIEW_ASSETS };
  const collected = new Set(options.venues.map(({ id }) => id));
  return new CandleFill({
    read: side.read,
    plans: CANDLE_PLANS.filter(({ venue }) => collected.has(venue)),
    offered: (venue) => offeredMarkets(sides, venue),
    perpPrices: perpPrices(history.reader, market.view),
    past,
    days,
    clock,
    timer,
    logger,
    isHeld: () => load.isShed('backfill'),
  });
}
