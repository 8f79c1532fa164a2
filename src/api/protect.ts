import { isWire } from '../domain/read.ts';
import type { ParameterSpec, ProtectedRoute } from '../pay/types.ts';
import type { Declared } from './request/declared.ts';
import type { Route } from './route.ts';

/** A parameter in the contract's shape: what a buyer must know, without what only the reader needs. */
function parameterSpec(declared: Declared): ParameterSpec {
  const { type, description, required, enum: words, minimum, maximum, format, example } = declared;
  return {
    type,
    description,
    required,
    ...(words !== undefined && { enum: words }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(format !== undefined && { format }),
    ...(example !== undefined && { example }),
  };
}

function specs(declared: ReadonlyMap<string, Declared>): Readonly<Record<string, ParameterSpec>> {
  return Object.fromEntries([...declared].map(([name, parameter]) => [name, parameterSpec(parameter)]));
}

/** An example for a header: of every list the first entry. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (!isWire(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shortened(field)]));
}

const known = new WeakMap<Route, ProtectedRoute>();

/** The part of a route that the paywall uses. The same object for the same route. */
export function protectedRoute(route: Route): ProtectedRoute {
  const made = known.get(route);
  if (made !== undefined) return made;
  const { id, path, description, tags, revisedAt } = route;
  const protectedOne: ProtectedRoute = {
    id,
    path,
    description,
    tags,
    queryParams: specs(route.queryParameters),
    ...(route.pathParameters.size > 0 && { pathParams: specs(route.pathParameters) }),
    example: shortened(route.example?.answer),
    catalogExample: route.example?.answer,
    revisedAt,
  };
  known.set(route, protectedOne);
  return protectedOne;
}
