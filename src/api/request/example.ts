import type { Declared } from './declared.ts';
import { type RawParameters, readParameters } from './parameters.ts';

interface Parameters {
  readonly path: ReadonlyMap<string, Declared>;
  readonly query: ReadonlyMap<string, Declared>;
}

/**
 * The parameters with the values of an example's request, and no others, as their examples: who puts the request
 * together from them asks just what the example was answered to. A request that its own parameters refuse is a fault of
 * the route table.
 *
 * @param template path as in the contract: `/v1/funding/spread/{symbol}`
 * @param request path and query, `/v1/funding/spread/BTC`
 */
export function asInExample({ path, query }: Parameters, template: string, request: string): Parameters {
  const asked = new URL(request, 'http://example.invalid');
  const segments = asked.pathname.split('/').map(decodeURIComponent);
  const fromPath = template.split('/').flatMap((segment, i) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    return name === undefined ? [] : [[name, segments[i] ?? ''] as const];
  });
  return { path: withValues(path, fromPath), query: withValues(query, [...asked.searchParams]) };
}

function withValues(
  declared: ReadonlyMap<string, Declared>,
  given: RawParameters,
): ReadonlyMap<string, Declared> {
  const values = readParameters(declared, given);
  if (!values.ok) throw new TypeError(`the example's request is refused: ${values.error.detail}`);
  const named = new Set(given.map(([name]) => name));
  return new Map(
    [...declared].map(([name, { example: _, ...rest }]) => {
      const value = named.has(name) ? values.value[name] : undefined;
      const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      return [name, isScalar ? { ...rest, example: value } : rest];
    }),
  );
}
