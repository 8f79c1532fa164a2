import { type Failure, ok } from '../../domain/errors.ts';
import type { Route } from '../route.ts';
import { type KnownNames, nearestRoutes } from './nearest-route.ts';
import type { Targets } from './target.ts';

const SHOWN = 200;

/** The 404 of an address that no route has, with the nearest request that a route takes. */
export type UnknownRoute = (address: string) => Failure;

/** @param targets of the same routes */
export function unknownRouteOf(targets: Targets, routes: readonly Route[], names: KnownNames): UnknownRoute {
  const askable = (path: string, search: string): readonly string[] => {
    const asked = targets.find(search === '' ? path : `${path}?${search}`);
    if (asked === undefined) return [];
    const input = asked.input();
    if (input.ok) return [asked.resource()];
    return [asked.helped(input.error, ok).instead ?? path];
  };
  return (address) => {
    const [path = '', search = ''] = address.split('?');
    const { notSold, paths } = nearestRoutes(path, routes, names);
    const near = paths.flatMap((each) => askable(each, search.slice(0, SHOWN)));
    const what = notSold === undefined ? '' : ` Nothing of "${notSold}" is sold here; the closest that is:`;
    const hint = near.length === 0 ? '' : `${what === '' ? ' Nearest:' : what} ${near.join(' or ')}.`;
    const [instead] = near;
    return {
      code: 'unknown_route',
      detail: `${path.slice(0, SHOWN)} is not a path of this service; /openapi.json lists them. Paths match exactly.${hint}`,
      ...(instead !== undefined && { instead }),
    };
  };
}
