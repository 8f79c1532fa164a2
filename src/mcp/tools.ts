import { protectedRoute } from '../api/protect.ts';
import { MAX_PARAMETERS, tooManyParameters } from '../api/request/parameters.ts';
import type { Route } from '../api/route.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { wireArray } from '../domain/read.ts';
import type { ToolListing } from '../pay/bazaar.ts';
import type { McpBackend } from './backend.ts';
import { inputSchema, type JsonSchema, outputSchema, parametersOf } from './schema.ts';
import { THEMES, type Theme } from './themes.ts';

/** A tool: one theme, and those of its products that are served. */
export interface Tool {
  readonly theme: Theme;
  readonly routes: readonly Route[];
  readonly input: JsonSchema;
  readonly output: JsonSchema;
}

/** The tools over the routes that are served; a theme of which nothing is served is left out. */
export function toolsOf(routes: readonly Route[]): readonly Tool[] {
  return THEMES.flatMap((theme) => {
    const served = theme.products.flatMap((id) => routes.filter((route) => route.id === id));
    if (served.length === 0) return [];
    return [{ theme, routes: served, input: inputSchema(served), output: outputSchema(served) }];
  });
}

/** What is said of a tool, with the prices of the moment. */
export function descriptionOf({ theme, routes, input }: Tool, priceOf: McpBackend['priceOf']): string {
  const always = new Set(wireArray(input.required));
  const products = routes.map((route) => {
    const price = priceOf(route);
    const names = [...parametersOf(route)].flatMap(([name, { required }]) =>
      required && !always.has(name) ? [name] : [],
    );
    const needs = names.length > 0 ? `, needs ${names.join(', ')}` : '';
    return `${route.id} (${price === undefined ? 'free' : `${price} USD`}): ${route.summary}${needs}.`;
  });
  const { about, units, use, not, fails } = theme;
  return `${about}\n${products.join('\n')}\nUnits: ${units}\nUse ${use}; not for ${not}. Fails: ${fails}.`;
}

/** What arguments ask for. */
export interface Asked {
  /** Path and query of a GET. */
  readonly url: string;
  readonly product: string;
}

/** The address that arguments ask, or why they ask none. What a parameter may be is for the route to say. */
export function urlOf({ routes }: Tool, args: Readonly<Record<string, unknown>>): Result<Asked> {
  const names = Object.keys(args);
  const beyond = names[MAX_PARAMETERS];
  if (beyond !== undefined) return fail(tooManyParameters(names.length, beyond));
  const { product = routes.length === 1 ? routes[0]?.id : undefined, ...given } = args;
  const route = routes.find(({ id }) => id === product);
  if (route === undefined) return invalid(`product: must be one of ${routes.map(({ id }) => id).join(', ')}`);
  const query = new URLSearchParams();
  let { path } = route;
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (typeof value === 'object') return invalid(`${name}: must be a single value`);
    if (name === 'format' && route.fileTypes !== undefined) return invalid('format: tools answer in JSON');
    if (route.pathParameters.has(name)) path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    // No name is there twice: to look for it among those before costs with each one more.
    else query.append(name, String(value));
  }
  const missing = [...route.pathParameters.keys()].filter((name) => path.includes(`{${name}}`));
  if (missing.length > 0) {
    const detail = missing.map((name) => `${name}: required`).join('; ');
    return fail({ code: 'missing_parameter', detail });
  }
  query.sort();
  return ok({ url: query.size === 0 ? path : `${path}?${query}`, product: route.id });
}

const invalid = (detail: string): Result<Asked> => fail({ code: 'invalid_parameter', detail });

/** Arguments that the first product of a tool takes. */
function exampleOf({ routes: [route, ...others] }: Tool): Readonly<Record<string, unknown>> {
  const values = route === undefined ? [] : [...parametersOf(route)];
  const examples = values.flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]]));
  return { ...(others.length > 0 && { product: route?.id }), ...Object.fromEntries(examples) };
}

/** The tools that sell something, for the catalog. */
export function toolListings(routes: readonly Route[]): readonly ToolListing[] {
  return toolsOf(routes).flatMap((tool) => {
    const sold = tool.routes.filter(({ access }) => access === 'paid');
    if (sold.length === 0) return [];
    const { name, about, units } = tool.theme;
    return [
      {
        name,
        description: `${about} ${units}`,
        tags: ['mcp', 'perpetual-futures', 'market-data'],
        routes: sold.map(protectedRoute),
        inputSchema: tool.input,
        example: exampleOf(tool),
      },
    ];
  });
}
