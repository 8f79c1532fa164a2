import { isWire, wireArray } from '../domain/read.ts';
import type { CatalogItem } from './payments.ts';
import { protectedRoute } from './protect.ts';
import type { Route, Services } from './route.ts';

/** Catalog entries of everything that is sold, in the order of the table; none where payments are off. */
export function catalogItems({ routes, payments }: Services): readonly CatalogItem[] {
  return routes
    .filter(({ sale }) => sale === 'paid')
    .map((route) => payments.catalogItem(protectedRoute(route)))
    .filter((item) => item !== undefined);
}

/** Whether one of an item's payment requirements has this value in this field; text compared without case. */
export function accepts(item: CatalogItem, field: string, wanted: string): boolean {
  return (wireArray(item.accepts) ?? []).some((requirement) => {
    const value = isWire(requirement) ? requirement[field] : undefined;
    return typeof value === 'string' && value.toLowerCase() === wanted.toLowerCase();
  });
}

/** Address of a paid route that can be asked as it stands: example values in place of the path's names. */
export function probeAddress(route: Route, baseUrl: string): string {
  const path = route.path.replace(/\{([^}]+)\}/g, (name, key: string) => {
    const example = route.pathParameters.get(key)?.example;
    return example === undefined ? name : encodeURIComponent(String(example));
  });
  return baseUrl + path;
}
