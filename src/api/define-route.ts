import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { ok, type Result } from '../domain/errors.ts';
import { asInExample } from './request/example.ts';
import { declaredParameters, readParameters } from './request/parameters.ts';
import type { Production, Route, RouteText, Services } from './route.ts';

/** A route as it is declared: schemas, words, and the two halves of its handler. */
export interface RouteSpec<Q extends TObject, P extends TObject, R> extends RouteText {
  readonly query: Q;
  readonly params?: P;
  readonly output: TSchema;
  /** Cheap: what the request is about, or why it cannot be served. Runs before any payment is verified. */
  readonly resolve: (input: Static<Q> & Static<P>, services: Services) => Result<R>;
  readonly answer: (resolved: R, services: Services) => Production;
}

export const NO_PARAMETERS = Type.Object({});

/** Makes a route of its declaration. */
export function defineRoute<Q extends TObject, R, P extends TObject = typeof NO_PARAMETERS>(
  spec: RouteSpec<Q, P, R>,
): Route {
  const { resolve, answer, params = NO_PARAMETERS, ...text } = spec;
  const declared = { path: declaredParameters(params), query: declaredParameters(spec.query) };
  const { path: pathParameters, query: queryParameters } =
    text.example === undefined ? declared : asInExample(declared, text.path, text.example.request);
  return {
    ...text,
    params,
    queryParameters,
    pathParameters,
    read: (path, query) => {
      const fromPath = readParameters(pathParameters, path);
      if (!fromPath.ok) return fromPath;
      const fromQuery = readParameters(queryParameters, query);
      return fromQuery.ok ? ok({ ...fromQuery.value, ...fromPath.value }) : fromQuery;
    },
    plan: (input, services) => {
      // `read` made the input from these very schemas; a property test holds the two together.
      const resolved = resolve(input as Static<Q> & Static<P>, services);
      if (!resolved.ok) return resolved;
      return ok({
        produce() {
          return answer(resolved.value, services);
        },
      });
    },
  };
}
