import { type Catalog, type CatalogOptions, catalogItems, toolItems } from '../pay/discovery.ts';
import type { ProtectedRoute } from '../pay/types.ts';
import { protectedRoute } from './protect.ts';
import type { Route, Services } from './route.ts';

/** The routes that are sold, as the paywall knows them. */
export function protectedRoutes(routes: readonly Route[]): readonly ProtectedRoute[] {
  return routes.filter(({ access }) => access === 'paid').map(protectedRoute);
}

/** The seller; a service that charges nothing has a name but no receiver. */
export function sellerOf({ payments, service: { baseUrl, name } }: Services): CatalogOptions['seller'] {
  return payments.seller ?? { baseUrl, serviceName: name, iconUrl: `${baseUrl}/icon.png` };
}

/** The catalog of everything that is sold: the routes in the order of the table, and the tools that sell them. */
export function catalogOf(services: Services): Catalog {
  const { routes, payments, clock, tools = [] } = services;
  const { prices, offers: schemes } = payments;
  const options = { seller: sellerOf(services), prices, schemes, clock };
  const http = catalogItems({ ...options, routes: protectedRoutes(routes) });
  return { http, mcp: toolItems(options, tools) };
}
