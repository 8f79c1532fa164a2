import { join } from 'node:path';
import type { Host, OpenModule } from '../../host/module.ts';
import { fill } from '../../runtime/port.ts';
import { systemTimer } from '../../runtime/timer.ts';
import { SPOT_SIDE } from '../spot-market/port.ts';
import { HourSampler } from './hour-sampler.ts';
import { spotHistoryMetrics } from './metrics.ts';
import { SPOT_PAST } from './port.ts';
import { openHourStore } from './store/hour-store.ts';
import { SpotPast } from './store/spot-past.ts';

/**
 * Opens the past of spot where the process reads spot; elsewhere there is none.
 *
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export function openSpotHistory({ readPort, options, market, clock, logger }: Host): OpenModule {
  const side = readPort(SPOT_SIDE);
  if (side === undefined) return {};
  const past = new SpotPast(openHourStore(join(options.dataDir, 'spot-hours')));
  const shared = { past, market: market.view, clock, timer: systemTimer, logger };
  const sampler = new HourSampler({ ...shared, spot: side.spot });
  return {
    metrics: spotHistoryMetrics(sampler),
    ports: [fill(SPOT_PAST, past)],
    start: () => {
      sampler.start();
      return undefined;
    },
    stop: async () => {
      await sampler.stop();
      await past.close();
    },
  };
}
