import { canonicalJson, sha256 } from '../domain/canonical-json.ts';
import type { Route } from './route.ts';

const LENGTH = 22;

/**
 * Names what the routes promise: changes with every path, parameter and field of an answer, with nothing else. Said in
 * receipts and in OpenAPI.
 */
export function routeTableVersion(routes: readonly Route[]): string {
  const promised = routes.map(({ id, path, access, params, query, answer }) => ({
    id,
    path,
    access,
    params,
    query,
    answer,
  }));
  // Schemas carry functions of their validator, which JSON leaves out.
  return sha256(canonicalJson(JSON.parse(JSON.stringify(promised)))).slice(0, LENGTH);
}
