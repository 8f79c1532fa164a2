import type { VenueId } from '../domain/venue.ts';
import type { History } from '../history/history.ts';
import type { Market } from '../market/live-table.ts';
import { rolesOf } from './collection.ts';
import type { ServiceOptions } from './options.ts';

/**
 * Hands the stored open interest of the last run to the table, which has heard nothing yet: otherwise a start while venues are
 * down would take the total of those that answer for the whole. A store that cannot say it holds no start up.
 */
export async function rememberInterest(
  market: Pick<Market, 'remember'>,
  { lastInterest }: Pick<History, 'lastInterest'>,
  options: ServiceOptions,
): Promise<void> {
  const found = await lastInterest.read();
  if (found.ok) market.remember(found.value.filter(({ venue }) => isConfigured(venue, options)));
  else
    options.logger.warn(
      { reason: found.fault.message },
      'the open interest of the last run could not be read: totals of the first hour may lack venues that are down',
    );
}

/** A venue that is collected no more, or one that such a venue listed, is missing from no total. A seller knows of none. */
function isConfigured(venue: VenueId, options: ServiceOptions): boolean {
  if (!rolesOf(options).has('collect')) return true;
  return options.venues.some(({ id }) => venue === id || venue.startsWith(`${id}-`));
}
