import Type, { type Static } from 'typebox';
import { badParameter, type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import type { MarketView } from '../../market/view.ts';
import { listParameter, wordsOf } from '../../products/answer/list-parameter.ts';
import { integer, number, oneOf, text } from '../../products/answer/schema.ts';
import { namePair, selectAsset, selectVenue } from '../../products/rows/select.ts';
import { type ConditionKind, type ConditionParameter, OPTIONAL } from './condition-kind.ts';
import { KIND_NAMES, type KindName, kindOf } from './kinds.ts';

const DEFAULT_FIRINGS = 100;
export const MOST_FIRINGS = 1000;
const DEFAULTS = { hours: 24, days: 30, sizeUsd: 10_000 } as const;
const WINDOWS = [7, 30, 90] as const;

/** The parameters of a condition, as a request has them. */
export const conditionQuery = {
  kind: oneOf(KIND_NAMES, {
    description: 'What is watched: each kind reads the field of one product, as docs/watches.md lists them',
  }),
  ticker: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      examples: ['BTC'],
      description: 'Base asset or canonical_id',
    }),
  ),
  venue: Type.Optional(
    listParameter('One venue of a contract; of a spread two or more', { examples: ['binance'] }),
  ),
  above: Type.Optional(Type.Number({ description: 'Fires above this, in its unit' })),
  below: Type.Optional(Type.Number({ description: 'Fires below this' })),
  reset: Type.Optional(
    Type.Number({ description: 'Cleared here, then it may fire again; default the level itself' }),
  ),
  for_minutes: Type.Integer({ minimum: 0, maximum: 1440, default: 0, description: 'Must hold so long' }),
  firings: Type.Integer({
    minimum: 1,
    maximum: MOST_FIRINGS,
    default: DEFAULT_FIRINGS,
    description: 'Ends after so many; 1: once',
  }),
  hours: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 168, description: 'Of a change over hours; default 24' }),
  ),
  days: Type.Optional(
    Type.Integer({ minimum: 7, maximum: 90, description: 'Of percentile: 7, 30 or 90; default 30' }),
  ),
  size_usd: Type.Optional(
    Type.Integer({ minimum: 100, maximum: 250_000, description: 'Of slippage, net_apr; default 10000' }),
  ),
  fees: Type.Optional(listParameter('My taker fees in bps, of net_apr: binance:2.4,okx:3')),
  webhook: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'HTTPS address, posted to once it answered a challenge',
    }),
  ),
};

const query = Type.Object(conditionQuery);
/** A condition as it was asked for. */
export type AskedCondition = Static<typeof query>;

/** A condition as it was understood: in answers, firings and statements, and as it is kept. */
export const conditionSchema = Type.Object(
  {
    kind: oneOf(KIND_NAMES, { description: 'Kind of the condition' }),
    product: text('Product whose answer is judged'),
    field: text('Field of that answer'),
    unit: text('Unit of above, below and reset'),
    ticker: Type.Optional(text('Asset')),
    asset: Type.Optional(text('Its canonical_id, or the symbol of the one contract that was named')),
    venue: Type.Optional(text('Venues, comma-separated')),
    above: Type.Optional(number('Holds above this')),
    below: Type.Optional(number('Holds below this')),
    reset: Type.Optional(number('Holds no more once the value is here or beyond')),
    for_minutes: integer('Fires once it has held for so long'),
    firings: integer('Ends after so many', 1),
    hours: Type.Optional(integer('Hours looked back', 1)),
    days: Type.Optional(integer('Days of the window', 1)),
    size_usd: Type.Optional(integer('Size of an order, US dollars', 1)),
    fees: Type.Optional(text('Taker fees that count, bps by venue')),
    webhook: Type.Optional(text('Address that firings are posted to')),
  },
  { description: 'The condition as it was understood' },
);
export type Condition = Static<typeof conditionSchema>;

const DEFAULTED = { hours: DEFAULTS.hours, days: DEFAULTS.days, size_usd: DEFAULTS.sizeUsd } as const;

/** Parameters of a request that the kind does not take. */
function notTaken(kind: KindName, asked: AskedCondition): Failure | undefined {
  const { takes, about } = kindOf(kind);
  const own: readonly ConditionParameter[] = [
    ...takes,
    ...(about === 'venue' ? (['venue'] as const) : (['ticker', 'venue'] as const)),
  ];
  const wrong = OPTIONAL.find((name) => asked[name] !== undefined && !own.includes(name));
  if (wrong !== undefined) return badParameter(wrong, `kind=${kind} does not take it`);
  if (asked.for_minutes > 0 && !own.includes('for_minutes'))
    return badParameter('for_minutes', `kind=${kind} fires at once: a change does not last`);
  return undefined;
}

/** The fault of a level: there is one, on one side, and it is reset on the other side of it. */
function levelFault({ mode }: ConditionKind, { above, below, reset }: AskedCondition): Failure | undefined {
  if (mode !== 'level') return undefined;
  if ((above === undefined) === (below === undefined))
    return badParameter('above', 'give either above or below');
  if (reset === undefined) return undefined;
  if (above !== undefined && reset > above) return badParameter('reset', 'must not be greater than above');
  if (below !== undefined && reset < below) return badParameter('reset', 'must not be less than below');
  return undefined;
}

/** Names of an asset and of venues, as the market calls them. */
interface Named {
  readonly ticker?: string;
  readonly asset?: string;
  readonly venues: readonly string[];
}

function venuesOf(market: MarketView, list: string | undefined): Result<readonly string[]> {
  const ids: string[] = [];
  for (const word of wordsOf(list ?? '')) {
    const found = selectVenue(market, word);
    if (!found.ok) return found;
    ids.push(found.value.info.id);
  }
  return ok([...new Set(ids)]);
}

/** Finds what a condition is about; every name that leads nowhere is refused as products refuse it. */
function nameSubject(
  market: MarketView,
  about: ConditionKind['about'],
  asked: AskedCondition,
): Result<Named> {
  const { ticker } = asked;
  const found = venuesOf(market, asked.venue);
  if (!found.ok) return found;
  const venues = found.value;
  const [venue] = venues;
  if ((about === 'contract' || about === 'venue') && venues.length !== 1)
    return fail(badParameter('venue', `kind=${asked.kind} is of one venue: name it`));
  if (about === 'asset' && venues.length === 1)
    return fail(badParameter('venue', 'one venue has no spread: name two, or leave it out for all'));
  if (about === 'calendar' && venues.length > 1)
    return fail(badParameter('venue', 'name one venue, or leave it out for all'));
  if (about === 'venue') return ok({ venues });
  if (ticker === undefined) {
    if (about === 'calendar' && venue !== undefined) return ok({ venues });
    return fail({
      code: 'missing_parameter',
      detail: `ticker: kind=${asked.kind} is of an asset: name it`,
      errors: [{ parameter: 'ticker', message: 'required' }],
    });
  }
  if (about === 'contract' && venue !== undefined) {
    const pair = namePair(market, { ticker, venue });
    if (!pair.ok) return pair;
    return ok({ ticker: pair.value.ticker, asset: pair.value.symbol ?? pair.value.canonicalId, venues });
  }
  const asset = selectAsset(market, { ticker });
  if (!asset.ok) return asset;
  return ok({ ticker: asset.value.ticker, asset: asset.value.canonicalId, venues });
}

/**
 * Reads a condition. 400 of a parameter that its kind does not take or lacks; 404 and 409 of names as products have them.
 *
 * @param webhookFault the reason for which an address cannot be posted to
 */
export function readCondition(
  asked: AskedCondition,
  market: MarketView,
  webhookFault: (address: string) => string | undefined,
): Result<Condition> {
  const kind = kindOf(asked.kind);
  const fault = notTaken(asked.kind, asked) ?? levelFault(kind, asked);
  if (fault !== undefined) return fail(fault);
  if (asked.days !== undefined && !WINDOWS.some((days) => days === asked.days))
    return fail(badParameter('days', `must be one of ${WINDOWS.join(', ')}`));
  const wrong = asked.webhook === undefined ? undefined : webhookFault(asked.webhook);
  if (wrong !== undefined) return fail(badParameter('webhook', wrong));
  const named = nameSubject(market, kind.about, asked);
  if (!named.ok) return named;
  return ok(conditionOf(asked, kind, named.value));
}

function conditionOf(
  asked: AskedCondition,
  kind: ConditionKind,
  { ticker, asset, venues }: Named,
): Condition {
  const { above, below, reset = above ?? below, fees, webhook } = asked;
  const takes = (name: ConditionParameter): boolean => kind.takes.includes(name);
  const sized = (name: keyof typeof DEFAULTED): number => asked[name] ?? DEFAULTED[name];
  return {
    kind: asked.kind,
    product: kind.product,
    field: kind.field,
    unit: kind.unit,
    ...(ticker !== undefined && { ticker }),
    ...(asset !== undefined && { asset }),
    ...(venues.length > 0 && { venue: venues.join() }),
    ...(above !== undefined && { above }),
    ...(below !== undefined && { below }),
    ...(reset !== undefined && { reset }),
    for_minutes: asked.for_minutes,
    firings: asked.firings,
    ...(takes('hours') && { hours: sized('hours') }),
    ...(takes('days') && { days: sized('days') }),
    ...(takes('size_usd') && { size_usd: sized('size_usd') }),
    ...(fees !== undefined && { fees }),
    ...(webhook !== undefined && { webhook }),
  };
}
