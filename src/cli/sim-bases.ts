import type { VenueAdapter } from '../venues/adapter.ts';

/** An address of a venue, moved to the simulated one under `/<id>`; the path of the venue's own base is kept. */
function moved(base: string, id: string, sim: string): string {
  const own = new URL(base);
  const target = new URL(sim);
  const scheme = own.protocol.startsWith('ws') ? 'ws' : 'http';
  return `${scheme}://${target.host}/${id}${own.pathname.replace(/\/$/, '')}`;
}

/** Base addresses that send every venue to the simulated ones. Sub-venues inherit their parent's. */
export function simulatedBases(
  venues: readonly VenueAdapter[],
  sim: string,
): Record<string, Record<string, string>> {
  return Object.fromEntries(
    venues.map(({ id, bases }) => [
      id,
      Object.fromEntries(Object.entries(bases).map(([name, base]) => [name, moved(base, id, sim)])),
    ]),
  );
}
