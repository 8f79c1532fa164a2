import type { Declared } from '../../api/request/declared.ts';
import type { Route } from '../../api/route.ts';
import { isWire, wireArray } from '../../domain/read.ts';
import type { Presets } from '../../host/tool-place.ts';

export type JsonSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>;

/** Parameters of files: tools answer in JSON. */
export const OF_FILES: ReadonlySet<string> = new Set(['format', 'time']);

/** The parameters that a tool passes on: all but those of files. */
export function parametersOf(route: Route): ReadonlyMap<string, Declared> {
  const all = [...route.pathParameters, ...route.queryParameters];
  return new Map(all.filter(([name]) => route.fileTypes === undefined || !OF_FILES.has(name)));
}

/** A parameter as JSON Schema, by the bounds by which the route itself reads it; a least of 0 or 1 goes without saying. */
function constraints({ type, enum: words, minimum, maximum, format, default: preset }: Declared) {
  return {
    type,
    ...(words !== undefined && { enum: words }),
    ...(minimum !== undefined && minimum !== 0 && minimum !== 1 && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(format !== undefined && { format }),
    ...(preset !== undefined && { default: preset }),
  };
}

/** A parameter's first sentence; OpenAPI has the rest. */
const inShort = (description: string): string =>
  /^.{12,}?(?=[,.;:] |$)/.exec(description)?.[0] ?? description;

/** Parameters whose names, or the server's instructions, say what they are. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['ticker', 'symbol', 'canonical_id', 'spot', 'perp', 'perp_venue', 'direction', 'enter_bps', 'exit_bps'],
  ...['fee_bps', 'fees', 'maker', 'spot_fee_bps', 'spot_fees', 'assumed_slippage_bps'],
  ...['assumed_borrow_apr_pct'],
  ...['venue', 'venues', 'exclude', 'quote', 'limit', 'offset', 'from', 'to', 'as_of', 'aggr', 'granularity'],
  ...['size_usd', 'asset_class', 'hours', 'days', 'lookback_hours', 'leverage', 'step', 'short', 'long'],
  ...['include_funding', 'include_orderbook', 'max_hold_hours', 'above', 'below', 'side', 'venues_max'],
  ...['holding_days', 'notional_usd', 'contract_terms', 'min_diff', 'min_diff_bps', 'rank_by'],
  ...['min_open_interest_usd', 'include_below_1k', 'history_venues', 'ladder', 'span', 'latest', 'min_z'],
]);

/** Argument of the secret that some routes take in a header. */
export const SECRET = 'secret';
/** Argument that bounds the size of an answer. */
export const MAX_TOKENS = 'max_tokens';
export const TOKENS = { minimum: 1000, maximum: 1_000_000, default: 10_000 } as const;

/** A parameter with what it is; one whose name says it has no more words. */
function described(
  name: string,
  declared: Declared,
  bounds: Readonly<Record<string, unknown>>,
  words: unknown = inShort(declared.description),
): Readonly<Record<string, unknown>> {
  return PLAIN.has(name) ? bounds : { ...bounds, description: words };
}

/**
 * Arguments of a tool over these routes: `product`, where there is a choice, the parameters of all of them, and
 * the size of the answer.
 */
export function inputSchema(routes: readonly Route[], presets: Presets = {}): JsonSchema {
  const properties: Record<string, Readonly<Record<string, unknown>>> = {};
  const required = routes.length > 1 ? ['product'] : [];
  if (routes.length > 1) properties.product = { type: 'string', enum: routes.map(({ id }) => id) };
  for (const route of routes) {
    for (const [name, declared] of parametersOf(route)) {
      const preset = presets[name];
      const bounds = { ...constraints(declared), ...(preset !== undefined && { default: preset }) };
      const { [name]: known } = properties;
      if (known === undefined) properties[name] = described(name, declared, bounds);
      else if (JSON.stringify(described(name, declared, bounds, known.description)) !== JSON.stringify(known))
        throw new TypeError(`${route.id} reads ${name} otherwise than another product of its tool`);
      if (routes.every((each) => parametersOf(each).get(name)?.required) && !required.includes(name))
        required.push(name);
    }
  }
  if (routes.some(({ takesSecret }) => takesSecret === true)) properties[SECRET] = { type: 'string' };
  // Its default is in the server's instructions, once for all tools.
  properties[MAX_TOKENS] = { type: 'integer' };
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
  };
}

/** Of so few words a choice is listed; a value outside a longer one is refused with all of them. */
const FEW_WORDS = 3;

/**
 * The same for the list of tools, which every model reads: names, types and short choices. Bounds, formats, defaults and
 * words are left out, since a value that the route refuses costs nothing and its problem says what is allowed.
 */
export function inBrief({ properties, required }: JsonSchema): JsonSchema {
  const brief = Object.entries(isWire(properties) ? properties : {}).map(([name, property]) => {
    const { type, enum: words } = isWire(property) ? property : {};
    const choice = wireArray(words);
    const isShort = name !== 'product' && type === 'string' && (choice?.length ?? 0) <= FEW_WORDS;
    return [name, { type, ...(isShort && choice !== undefined && { enum: choice }) }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(brief),
    ...(required !== undefined && { required }),
  };
}
