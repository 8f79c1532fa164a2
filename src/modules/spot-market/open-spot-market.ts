import { join } from 'node:path';
import type { Host, OpenModule } from '../../host/module.ts';
import { createRegistry } from '../../market/registry/lookup.ts';
import { SPOT_MIDS } from '../../products/rows/spot-mid.ts';
import { fill } from '../../runtime/port.ts';
import { systemTimer, type Timer } from '../../runtime/timer.ts';
import { SpotBooks } from './books/spot-books.ts';
import { openBorrowStore } from './borrow/borrow-store.ts';
import { BorrowTable } from './borrow/borrow-table.ts';
import { spotMidsBeside } from './market/spot-mids.ts';
import { SpotTable } from './market/spot-table.ts';
import { spotBookMetrics, spotMetrics } from './metrics.ts';
import { askSpot } from './plan/ask-spot.ts';
import { SPOT_PLANS } from './plan/plans.ts';
import { SPOT_SIDE, type SpotSide } from './port.ts';
import { SpotCollector } from './spot-collector.ts';

/**
 * Opens the spot side of the venues that this process collects; in one that collects nothing there is none.
 *
 * @throws StoreOpenError where the store of borrow rates is a newer build's, or could not be upgraded
 */
export function openSpotMarket(host: Host, timer: Timer = systemTimer): OpenModule {
  const { options, market, collector, clock, logger, load } = host;
  if (options.roles !== undefined && !options.roles.has('collect')) return {};
  const spot = new SpotTable(createRegistry(), market.view);
  const borrow = new BorrowTable(openBorrowStore(join(options.dataDir, 'spot-borrow')), clock);
  const shared = { clock, timer, random: Math.random };
  const collected = new Set(options.venues.map(({ id }) => id));
  const asking = {
    plans: SPOT_PLANS.filter(({ venue }) => collected.has(venue)),
    ask: askSpot({ ...shared, collector, bases: options.bases }),
    spot,
    clock,
    logger,
    isHeld: () => load.isShed('unread_books'),
  };
  const spotCollector = new SpotCollector({ ...shared, ...asking, borrow });
  const books = new SpotBooks(asking);
  const read: SpotSide['read'] = (venue, call, signal) => spotCollector.read(venue, call, signal);
  return {
    metrics: [...spotMetrics(spotCollector, spot, clock), ...spotBookMetrics(books)],
    ports: [
      fill(SPOT_SIDE, { spot, borrow, books: books.view, read }),
      fill(SPOT_MIDS, spotMidsBeside(spot)),
    ],
    start: () => {
      spotCollector.start();
      return undefined;
    },
    stop: async () => {
      await books.stop();
      await spotCollector.stop();
      await borrow.close();
    },
  };
}
