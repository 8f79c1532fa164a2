import type { Route } from '../../src/api/route.ts';
import { isWire, wireArray } from '../../src/domain/read.ts';

/** Fields whose value is a venue that an answer has chosen, or lists. */
const VENUE = /(^|_)venue$/;
/** Parts of an answer that are about more than what it was held to: other assets, and rates between currencies. */
const APART: ReadonlySet<string> = new Set(['same_ticker', 'quote_rates', 'filters']);

export interface NamedParts {
  readonly venues: readonly string[];
  /** Of rows that name a contract. */
  readonly quotes: readonly string[];
}

/** Names of the fields of a route's answer. */
export const fieldsOf = ({ answer }: Route): readonly string[] =>
  isWire(answer) && isWire(answer.properties) ? Object.keys(answer.properties) : [];

/** An answer that repeats its filters is held to them; a paid stream takes venues for what it will send. */
export const isHeldToVenues = (route: Route): boolean =>
  'venues' in route.query.properties && fieldsOf(route).includes('filters');

/** All venues, and quotes of contracts, that an answer names anywhere. */
export function namedParts(body: unknown): NamedParts {
  const venues: string[] = [];
  const quotes: string[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) look(item);
    if (!isWire(value) || Array.isArray(value)) return;
    if (typeof value.venue_symbol === 'string' && typeof value.quote === 'string') quotes.push(value.quote);
    for (const [name, field] of Object.entries(value)) {
      if (APART.has(name)) continue;
      if (VENUE.test(name) && typeof field === 'string') venues.push(field);
      const isList = /(^|_)venues(_|$)/.test(name) && wireArray(field)?.every((it) => typeof it === 'string');
      if (isList) venues.push(...(field as string[]));
      look(field);
    }
  };
  look(body);
  return { venues, quotes };
}

/** The answer without what it says that it was held to. */
export function withoutFilters(body: unknown): unknown {
  if (!isWire(body)) return body;
  const { filters: _, ...rest } = body;
  return rest;
}
