import type { SimVenue } from '../venue.ts';

/** Every simulated venue, one line each. */
export const SIM_VENUES: readonly SimVenue[] = [];
