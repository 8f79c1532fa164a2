import type { BaseOverrides } from '../../collect/collector.ts';
import { isWire } from '../../domain/read.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';
import { adapterOf, VENUES } from '../../venues/registry.ts';

/** Adapters of these venues, all without a list; a name that is unknown is added to the errors, under what set it. */
export function readVenues(
  ids: readonly string[] | undefined,
  errors: string[],
  setting = 'VENUES',
): readonly VenueAdapter[] {
  if (ids === undefined) return VENUES;
  return ids.flatMap((id) => {
    const adapter = adapterOf(id.toLowerCase());
    if (adapter !== undefined) return [adapter];
    errors.push(`${setting}: no venue "${id}"; known are ${VENUES.map((venue) => venue.id).join(', ')}`);
    return [];
  });
}

/** Other base addresses from their JSON; what is wrong with it is added to the errors. */
export function readBases(text: string | undefined, errors: string[]): BaseOverrides {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    const isMap = (x: unknown) =>
      isWire(x) && Object.values(x).every((base) => typeof base === 'string' && URL.canParse(base));
    if (isWire(value) && Object.values(value).every(isMap)) return value as BaseOverrides;
  } catch {
    // Said below, with the form that is wanted.
  }
  errors.push('VENUE_BASES must be JSON like {"binance":{"rest":"https://…"}} with absolute addresses');
  return {};
}
