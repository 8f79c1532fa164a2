import { routeTableOf } from '../host/route-table.ts';
import { MODULES } from './list.ts';

/** Every route that a service can have, with all modules on: for documents, checks and tests. A service has those of its own. */
export const {
  routes: ROUTES,
  toolPlaces: TOOL_PLACES,
  priceLists: PRICE_LISTS,
  soldHeaders: SOLD_HEADERS,
} = await routeTableOf(MODULES);
