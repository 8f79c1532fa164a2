import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { World } from '../world.ts';

/** Answers the spot calls of a venue; undefined for any other call. */
export type SpotRest = (request: SimRequest, world: World, venue: SimVenue) => SimResponse | undefined;

export const json = (body: unknown, weight?: number): SimResponse => ({
  status: 200,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
  ...(weight !== undefined && { weight }),
});
