import { protectedRoute } from '../../api/protect.ts';
import { MAX_PARAMETERS, tooManyParameters } from '../../api/request/parameters.ts';
import type { Route } from '../../api/route.ts';
import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { wireArray } from '../../domain/read.ts';
import type { ToolListing } from '../../pay/bazaar.ts';
import type { McpBackend } from './backend.ts';
import {
  inputSchema,
  type JsonSchema,
  MAX_TOKENS,
  OF_FILES,
  parametersOf,
  SECRET,
  TOKENS,
} from './schema.ts';
import { type Theme, themesWith } from './themes.ts';

/** A tool: one theme, and those of its products that are served. */
export interface Tool {
  readonly theme: Theme;
  readonly routes: readonly Route[];
  readonly input: JsonSchema;
}

type Table = Pick<McpBackend, 'routes' | 'toolPlaces'>;

/** The tools over the routes that are served; a theme of which nothing is served is left out. */
export function toolsOf({ routes, toolPlaces }: Table): readonly Tool[] {
  return themesWith(toolPlaces).flatMap((theme) => {
    const served = theme.products.flatMap((id) => routes.filter((route) => route.id === id));
    if (served.length === 0) return [];
    return [{ theme, routes: served, input: inputSchema(served, theme.presets) }];
  });
}

/** Parameters that mean the same everywhere, as the instructions say: no product is chosen by them. */
const COMMON: ReadonlySet<string> = new Set(['venues', 'exclude', 'quote', 'canonical_id', 'as_of']);
/** Parameters that say which thing an answer is of: a product takes one venue, and its neighbour all of them. */
const SUBJECTS: ReadonlySet<string> = new Set(['ticker', 'symbol', 'venue']);

/**
 * Parameters of a product that say which it is: those that it needs, which have a star, and those that no more than half of
 * the products of its tool take. A product that is asked with one that it does not take names those that do, for nothing.
 */
function ownParameters({ routes, input }: Tool, route: Route): string {
  const always = new Set(wireArray(input.required));
  const isOwn = (name: string): boolean => {
    const takers = routes.filter((each) => parametersOf(each).has(name)).length;
    return (
      takers < routes.length && (SUBJECTS.has(name) || (!COMMON.has(name) && takers * 2 <= routes.length))
    );
  };
  const names = [...parametersOf(route)].flatMap(([name, { required }]) => {
    if (always.has(name) || !(required || isOwn(name))) return [];
    return [required ? `${name}*` : name];
  });
  return names.length > 0 && routes.length > 1 ? ` Takes ${names.join(' ')}.` : '';
}

/** Words for each product of a tool about what it takes; those of the product before it are not repeated. */
function takenBy(tool: Tool): readonly string[] {
  const taken = tool.routes.map((route) => ownParameters(tool, route));
  return taken.map((words, at) => (words !== '' && words === taken[at - 1] ? ' Takes the same.' : words));
}

/** Describes a tool, with the prices of the moment, and the products that take each parameter. */
export function descriptionOf(tool: Tool, priceOf: McpBackend['priceOf'], isPriced = true): string {
  const taken = takenBy(tool);
  const products = tool.routes.map((route, at) => {
    const price = priceOf(route);
    const isUnknown = !isPriced && route.access === 'paid';
    const cost = isUnknown ? 'price not known yet' : price === undefined ? 'free' : `$${price}`;
    return `${route.id} (${cost}): ${route.summary}.${taken[at] ?? ''}`;
  });
  const { about, units, use, not, besides } = tool.theme;
  const measured = units === '' ? '' : `Units: ${units}\n`;
  const more = besides === undefined ? '' : ` ${besides}`;
  const instead = not === undefined ? '' : `; not for ${not}`;
  return `${about}\n${products.join('\n')}\n${measured}Use ${use}${instead}.${more}`;
}

/** A request that the arguments make. */
export interface Asked {
  /** Path and query of a GET. */
  readonly url: string;
  readonly product: string;
  readonly route: Route;
  /** Largest answer, tokens of four characters. */
  readonly maxTokens: number;
  /** Sent in a header of its own; undefined: none. */
  readonly secret: string | undefined;
}

/**
 * The address that arguments ask, or why they ask none. The route checks the values of parameters. One of
 * another product of the tool is left out where it has its default, which clients fill in by themselves.
 */
export function urlOf(tool: Tool, args: Readonly<Record<string, unknown>>): Result<Asked> {
  const { routes } = tool;
  const names = Object.keys(args);
  const beyond = names[MAX_PARAMETERS];
  if (beyond !== undefined) return fail(tooManyParameters(names.length, beyond));
  const { product = routes.length === 1 ? routes[0]?.id : undefined, [MAX_TOKENS]: size, ...others } = args;
  const route = routes.find(({ id }) => id === product);
  if (route === undefined) return invalid(`product: must be one of ${routes.map(({ id }) => id).join(', ')}`);
  const maxTokens = readTokens(size);
  if (maxTokens === undefined)
    return invalid(`${MAX_TOKENS}: must be an integer from ${TOKENS.minimum} to ${TOKENS.maximum}`);
  const { [SECRET]: secret, ...withoutSecret } = others;
  const isSecretly = route.takesSecret === true && typeof secret === 'string';
  const texts = textsOf(tool, route, isSecretly ? withoutSecret : others);
  if (!texts.ok) return texts;
  const { path, missing } = filledPath(route, texts.value);
  if (missing.length > 0) {
    const detail = missing.map((name) => `${name}: required`).join('; ');
    return fail({ code: 'missing_parameter', detail });
  }
  const query = queryOf(tool, route, texts.value);
  const url = query.size === 0 ? path : `${path}?${query}`;
  return ok({ url, product: route.id, route, maxTokens, secret: isSecretly ? secret : undefined });
}

function readTokens(size: unknown): number | undefined {
  if (size === undefined || size === null) return TOKENS.default;
  const count = Number(size);
  const { minimum, maximum } = TOKENS;
  return Number.isInteger(count) && count >= minimum && count <= maximum ? count : undefined;
}

/** Arguments as text, those of the product alone. */
function textsOf(
  tool: Tool,
  route: Route,
  given: Readonly<Record<string, unknown>>,
): Result<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    // The route says of a list that it takes one value, and which call to make.
    const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object');
    if (typeof value === 'object' && !isList) return invalid(`${name}: must be a single value`);
    if (OF_FILES.has(name) && route.fileTypes !== undefined) return invalid(`${name}: tools answer in JSON`);
    const text = String(value);
    const owners = ownersOf(tool, route, name);
    const [owner] = owners;
    if (owner === undefined) texts.set(name, text);
    else if (!isDefault(tool, owner, name, text)) return fail(notTaken(route, name, owners));
  }
  return ok(texts);
}

/** Other products of the tool that take a parameter which the product does not take. */
function ownersOf({ routes }: Tool, route: Route, name: string): readonly Route[] {
  return parametersOf(route).has(name) ? [] : routes.filter((each) => parametersOf(each).has(name));
}

function isDefault({ theme }: Tool, owner: Route, name: string, text: string): boolean {
  const preset = parametersOf(owner).get(name)?.default;
  return [theme.presets?.[name], preset].some((known) => known !== undefined && String(known) === text);
}

function notTaken(route: Route, name: string, owners: readonly Route[]): Failure {
  const takes = owners.map(({ id }) => id).join(', ');
  const message = `${route.id} does not take it: leave it out, or ask ${takes}, which ${owners.length > 1 ? 'take' : 'takes'} it`;
  return { code: 'unknown_parameter', detail: `${name}: ${message}`, errors: [{ parameter: name, message }] };
}

function filledPath({ path: template, pathParameters }: Route, texts: ReadonlyMap<string, string>) {
  let path = template;
  for (const name of pathParameters.keys()) {
    const text = texts.get(name);
    if (text !== undefined) path = path.replace(`{${name}}`, () => encodeURIComponent(text));
  }
  return { path, missing: [...pathParameters.keys()].filter((name) => !texts.has(name)) };
}

function queryOf({ theme }: Tool, route: Route, texts: ReadonlyMap<string, string>): URLSearchParams {
  const query = new URLSearchParams();
  // No name is there twice: to look for it among those before costs with each one more.
  for (const [name, text] of texts) if (!route.pathParameters.has(name)) query.append(name, text);
  for (const [name, preset] of Object.entries(theme.presets ?? {}))
    if (route.queryParameters.has(name) && !texts.has(name)) query.append(name, String(preset));
  query.sort();
  return query;
}

const invalid = (detail: string): Result<never> => fail({ code: 'invalid_parameter', detail });

/** Arguments that the first product of a tool takes. */
function exampleOf({ routes: [route, ...others] }: Tool): Readonly<Record<string, unknown>> {
  const values = route === undefined ? [] : [...parametersOf(route)];
  const examples = values.flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]]));
  return { ...(others.length > 0 && { product: route?.id }), ...Object.fromEntries(examples) };
}

/** The tools that sell something, for the catalog. */
export function toolListings(table: Table): readonly ToolListing[] {
  return toolsOf(table).flatMap((tool) => {
    const sold = tool.routes.filter(({ access }) => access === 'paid');
    if (sold.length === 0) return [];
    const { name, about, units } = tool.theme;
    return [
      {
        name,
        description: `${about} ${units}`.trim(),
        tags: ['mcp', 'perpetual-futures', 'market-data'],
        routes: sold.map(protectedRoute),
        inputSchema: tool.input,
        example: exampleOf(tool),
      },
    ];
  });
}
