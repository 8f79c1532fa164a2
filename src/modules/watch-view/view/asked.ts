import type { WatchKindsAnswer } from '../../../../packages/client/src/routes.ts';
import type { Parameter, RouteEntry } from '../../../../web/data/service.ts';
import { callPath } from '../../../../web/views/buy/parameters.tsx';

/** A kind of condition, as the service states it. */
export type Kind = WatchKindsAnswer['kinds'][number];

/** Parameters of a condition stand in the address under names of their own. */
const PREFIX = 'p.';
/** The webhook stays out of the page's address, since anybody who knows it can post there. */
export const WEBHOOK = 'webhook';
/** Levels are in the unit of the kind: they mean nothing to another one. */
export const LEVELS = ['above', 'below', 'reset'] as const;

/** A condition as it is filled in. */
export interface Asked {
  readonly kind: Kind;
  /** The parameters that are filled in by hand, with the words of the service. */
  readonly fields: readonly Parameter[];
  /** The query of the condition, without its webhook. */
  readonly query: URLSearchParams;
  /** Needed parameters that are missing. */
  readonly missing: readonly string[];
}

const isSaid = (params: URLSearchParams, name: string): boolean => (params.get(PREFIX + name) ?? '') !== '';

/** Parameters that a condition needs and lacks; of several of which one is enough all are named. */
function missingOf({ requires, one_of }: Kind, params: URLSearchParams): readonly string[] {
  const needed = requires.filter((name) => !isSaid(params, name));
  const isOneSaid = one_of.length === 0 || one_of.some((name) => isSaid(params, name));
  return isOneSaid ? needed : [...needed, one_of.join(' or ')];
}

/** The parameter as this kind has it: with its unit, and without a default where one is needed. */
function worded(parameter: Parameter, kind: Kind): Parameter {
  const isLevel = LEVELS.some((name) => name === parameter.name);
  const { description } = parameter;
  return {
    ...parameter,
    // Nobody has asked for an example.
    example: undefined,
    required: kind.requires.includes(parameter.name),
    description: isLevel ? `${description}: ${kind.unit}` : description,
  };
}

/** Reads the condition in the address by the parameters of the route that tries one. */
export function askedIn(kind: Kind, check: RouteEntry, params: URLSearchParams): Asked {
  const fields = check.parameters
    .filter(({ name, in: place }) => place === 'query' && name !== WEBHOOK && kind.takes.includes(name))
    .map((parameter) => worded(parameter, kind));
  const missing = missingOf(kind, params);
  // A parameter that is needed and empty stays away: an example is no condition.
  const said = fields.filter(({ name }) => isSaid(params, name));
  const path = callPath({ ...check, path: '', parameters: said }, params);
  const query = new URLSearchParams([['kind', kind.kind], ...new URLSearchParams(path)]);
  return { kind, fields, query, missing };
}

/** The path of a call with a condition. @param webhook '' = none */
export function pathWith(path: string, { query }: Asked, webhook: string): string {
  const all = new URLSearchParams(query);
  if (webhook.trim() !== '') all.set(WEBHOOK, webhook.trim());
  return `${path}?${all}`;
}
