import { health, healthWith } from '../api/documents/health.ts';
import type { SoldHeader } from '../api/documents/sold-header.ts';
import { wellKnownCatalog, wellKnownCatalogWith } from '../api/documents/well-known.ts';
import { type Route, routeOf } from '../api/route.ts';
import { CORE_PRODUCTS } from '../api/table.ts';
import { withPlaced } from '../runtime/placed.ts';
import type { ModuleProducts } from './module-products.ts';
import type { ToolPlace } from './tool-place.ts';

/** The routes of the core and of modules, with what belongs to them. */
export interface RouteTable {
  /** In the order in which documents name them. */
  readonly routes: readonly Route[];
  /** The tools of products that modules brought, by id of the product. */
  readonly toolPlaces: ReadonlyMap<string, ToolPlace>;
  /** Shipped prices of modules, in the form of `src/pay/prices.json`. */
  readonly priceLists: readonly unknown[];
  /** Headers that modules add to sold answers. */
  readonly soldHeaders: readonly SoldHeader[];
}

/** A module, as far as the table looks at it. */
interface WithProducts {
  readonly products?: () => Promise<ModuleProducts>;
}

/**
 * The one table of routes: challenges, the price list, the catalog, OpenAPI, tools and tests are made from it.
 *
 * @param modules those that are on
 * @throws Error where two products have one id, or one is to follow a product that is not there: a fault of the program
 */
export async function routeTableOf(modules: readonly WithProducts[]): Promise<RouteTable> {
  const brought = (await Promise.all(modules.map(({ products }) => products?.()))).filter(
    (given) => given !== undefined,
  );
  const blocks = brought.flatMap(({ products = [] }) => products);
  const own = new Map([
    [health, healthWith(brought.flatMap(({ health: parts = [] }) => parts))],
    [wellKnownCatalog, wellKnownCatalogWith(brought.flatMap(({ discovery = [] }) => discovery))],
  ]);
  const core = CORE_PRODUCTS.map((product) => own.get(product) ?? product);
  const products = withPlaced(
    core.map((product) => [product.id, product] as const),
    blocks.map(({ product, after }) => [product.id, product, after] as const),
  );
  return {
    routes: products.map(([, product]) => routeOf(product)),
    toolPlaces: new Map(
      blocks.flatMap(({ product, tool }) => (tool === undefined ? [] : [[product.id, tool] as const])),
    ),
    priceLists: brought.flatMap(({ prices }) => (prices === undefined ? [] : [prices])),
    soldHeaders: brought.flatMap(({ soldHeaders = [] }) => soldHeaders),
  };
}
