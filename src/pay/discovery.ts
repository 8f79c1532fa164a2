import type { Clock } from '../domain/clock.ts';
import { bazaarExtension, type ToolListing, toolExtension } from './bazaar.ts';
import type { CatalogItem, HttpItem, McpItem } from './catalog-item.ts';
import { type CatalogFilter, matchesFilter } from './catalog-search.ts';
import type { PriceSchedule } from './prices.ts';
import { acceptsEntry, coreEntry, MIME_TYPE } from './requirement.ts';
import type { SchemeOffer } from './scheme.ts';
import type { Seller } from './seller.ts';
import type { ParameterSpec, ProtectedRoute } from './types.ts';

export interface CatalogOptions {
  readonly seller: Pick<Seller, 'baseUrl' | 'serviceName' | 'iconUrl'>;
  readonly prices: PriceSchedule;
  /** In the order in which they are offered; none where nothing is charged. */
  readonly schemes: readonly SchemeOffer[];
  readonly routes: readonly ProtectedRoute[];
  readonly clock: Clock;
}

/** All paid resources with their terms. */
export function catalogItems({
  seller,
  prices,
  schemes,
  routes,
  clock,
}: CatalogOptions): readonly HttpItem[] {
  const now = clock.now();
  return routes.map((route) => {
    const price = prices.priceAt(route.id, now);
    const example = route.catalogExample ?? route.example;
    const revised = route.revisedAt === undefined ? 0 : Date.parse(route.revisedAt);
    return {
      resource: seller.baseUrl + route.path,
      type: 'http',
      x402Version: 2,
      accepts:
        price === undefined
          ? []
          : schemes.map(({ terms }) => acceptsEntry(terms(price.atomic), seller, route, example)),
      lastUpdated: new Date(Math.max(price?.since ?? 0, revised)).toISOString(),
      description: route.description,
      mimeType: MIME_TYPE,
      serviceName: seller.serviceName,
      tags: route.tags,
      iconUrl: seller.iconUrl,
      extensions: { bazaar: bazaarExtension(route, example) },
    };
  });
}

/** The path of tool calls. */
export const MCP_PATH = '/mcp';

/** The tools with their terms: `resource` is the same for all, the name in the extension tells them apart. */
export function toolItems(
  { seller, prices, schemes, clock }: Omit<CatalogOptions, 'routes'>,
  tools: readonly ToolListing[],
): readonly McpItem[] {
  const now = clock.now();
  const resource = seller.baseUrl + MCP_PATH;
  return tools.map((tool) => {
    const priced = tool.routes.flatMap((route) => {
      const price = prices.priceAt(route.id, now);
      return price === undefined ? [] : [{ ...route, price }];
    });
    const revisions = priced.flatMap(({ price, revisedAt = '' }) => [
      price.since,
      Date.parse(revisedAt) || 0,
    ]);
    const amounts = [...new Set(priced.map(({ price }) => price.atomic))];
    return {
      resource,
      type: 'mcp',
      x402Version: 2,
      accepts: amounts.flatMap((amount) => {
        const ids = priced.filter(({ price }) => price.atomic === amount).map(({ id }) => id);
        const about = { resource, description: `Price of ${ids.join(', ')}`, mimeType: MIME_TYPE } as const;
        return schemes.map(({ terms }) => ({ ...coreEntry(terms(amount)), ...about }));
      }),
      lastUpdated: new Date(Math.max(0, ...revisions)).toISOString(),
      description: tool.description,
      mimeType: MIME_TYPE,
      serviceName: seller.serviceName,
      tags: tool.tags,
      iconUrl: seller.iconUrl,
      extensions: { bazaar: toolExtension(tool) },
    };
  });
}

const DEFAULT_CATALOG_LIMIT = 100;

/** Everything that is sold. */
export interface Catalog {
  /** In the order of the route table. */
  readonly http: readonly HttpItem[];
  readonly mcp: readonly McpItem[];
}

export interface CatalogPage {
  readonly x402Version: 2;
  /** Paths; tools where these were asked for. */
  readonly items: readonly CatalogItem[];
  /** Tools, on every page; none where one kind was asked for. */
  readonly mcp_items: readonly McpItem[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
}

interface CatalogQuery extends CatalogFilter {
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * One page of the catalog, as facilitators answer `GET /discovery/resources`. Without a type the items are paths
 * alone, as the contract has them, and the tools stand beside them.
 */
export function catalogPage({ http, mcp }: Catalog, query: CatalogQuery = {}): CatalogPage {
  const { type, limit = DEFAULT_CATALOG_LIMIT, offset = 0 } = query;
  const listed: readonly CatalogItem[] = type === undefined ? http : [...http, ...mcp];
  const found = listed.filter((item) => matchesFilter(item, query));
  return {
    x402Version: 2,
    items: found.slice(offset, offset + limit),
    mcp_items: type === undefined ? mcp.filter((item) => matchesFilter(item, query)) : [],
    pagination: { limit, offset, total: found.length },
  };
}

export interface WellKnownOptions {
  readonly seller: Pick<Seller, 'serviceName' | 'iconUrl'>;
  /** `live` if the data is of real venues. */
  readonly data: 'live' | 'simulated';
  /** Absolute address of the price changelog. */
  readonly changelogUrl: string;
}

/** `/.well-known/x402.json`: the whole catalog with who sells it. */
export function wellKnownX402Json({ http, mcp }: Catalog, { seller, data, changelogUrl }: WellKnownOptions) {
  const { serviceName, iconUrl } = seller;
  return {
    x402Version: 2,
    serviceName,
    iconUrl,
    data,
    changelog: changelogUrl,
    items: http,
    mcp_items: mcp,
  };
}

/** One page of what a search found, as facilitators answer `GET /discovery/search`. */
export interface SearchPage {
  readonly x402Version: 2;
  readonly resources: readonly CatalogItem[];
  /** True if further pages follow. */
  readonly partialResults: boolean;
  readonly pagination: { readonly limit: number; readonly cursor: string | null };
}

/** The page of a search that begins at `cursor`, which is the number of items before it. */
export function searchPage(found: readonly CatalogItem[], limit: number, cursor = 0): SearchPage {
  const next = cursor + limit;
  const partialResults = next < found.length;
  const pagination = { limit, cursor: partialResults ? String(next) : null };
  return { x402Version: 2, resources: found.slice(cursor, next), partialResults, pagination };
}

/** `/.well-known/x402`, as x402scan reads it: addresses that can be asked as they are, and answer 402. */
export function wellKnownX402(
  baseUrl: string,
  routes: readonly ProtectedRoute[],
): Readonly<Record<string, unknown>> {
  return { version: 1, resources: routes.map((route) => baseUrl + trialPath(route) + trialQuery(route)) };
}

/** The path with the example values of its parameters. */
function trialPath({ path, pathParams = {} }: ProtectedRoute): string {
  return path.replace(/\{([^}]+)\}/g, (template, name: string) => {
    const value = Object.hasOwn(pathParams, name) ? trialValue(pathParams[name]) : undefined;
    return value === undefined ? template : encodeURIComponent(value);
  });
}

/** The query with the example values of the parameters that must be there. */
function trialQuery({ queryParams }: ProtectedRoute): string {
  const query = new URLSearchParams();
  for (const [name, spec] of Object.entries(queryParams)) {
    const value = spec.required ? trialValue(spec) : undefined;
    if (value !== undefined) query.set(name, value);
  }
  return query.size === 0 ? '' : `?${query}`;
}

function trialValue(spec: ParameterSpec | undefined): string | undefined {
  const value = spec?.example ?? spec?.enum?.[0];
  return value === undefined ? undefined : String(value);
}
