import { join } from 'node:path';
import type { Host, OpenModule } from '../../host/module.ts';
import { fill } from '../../runtime/port.ts';
import { Calendar } from './calendar.ts';
import { openCalendarStore } from './calendar-store.ts';
import { factsOf } from './list-facts.ts';
import { CALENDAR } from './port.ts';

/**
 * Opens what was noted before, and compares each whole list of a venue with the one before. Every process hears all venues, and
 * keeps a calendar of its own in its data folder.
 *
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export function openCalendar({ options, market }: Pick<Host, 'options' | 'market'>): OpenModule {
  const calendar = new Calendar(openCalendarStore(join(options.dataDir, 'calendar')));
  return {
    listens: {
      instruments: (venue, list, at, report) => {
        if (report?.isWhole === true) calendar.take(factsOf({ venue, list, at, report }, market.view));
      },
    },
    ports: [fill(CALENDAR, calendar)],
    stop: () => calendar.stop(),
  };
}
