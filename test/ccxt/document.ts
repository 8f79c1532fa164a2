import { agreementOf, agreementTable, disagreements, type VenueAgreement } from './agreement.ts';
import { READERS, UNKNOWN_TO_CCXT } from './readers/index.ts';
import type { Simulation } from './simulation.ts';
import {
  type SpotAgreement,
  spotAgreementOf,
  spotAgreementTable,
  spotDisagreements,
} from './spot/spot-agreement.ts';
import { SPOT_READERS } from './spot/spot-readers.ts';

/** Reads every venue that ccxt has, both ways. */
export async function allAgreements(sim: Simulation): Promise<readonly VenueAgreement[]> {
  const agreements: VenueAgreement[] = [];
  for (const reader of READERS) agreements.push(await agreementOf(reader, sim));
  return agreements;
}

/** Reads the spot side of every venue that is simulated, both ways. */
export async function allSpotAgreements(sim: Simulation): Promise<readonly SpotAgreement[]> {
  const agreements: SpotAgreement[] = [];
  for (const reader of SPOT_READERS) agreements.push(await spotAgreementOf(reader, sim));
  return agreements;
}

/** Everything that is not as it should be. */
export function allDisagreements(
  agreements: readonly VenueAgreement[],
  spot: readonly SpotAgreement[],
): string[] {
  return [...agreements.flatMap(disagreements), ...spot.flatMap(spotDisagreements)];
}

/** docs/ccxt-agreement.md. */
export function agreementDocument(
  agreements: readonly VenueAgreement[],
  spot: readonly SpotAgreement[],
): string {
  return `# Agreement with ccxt

Written by \`npm run check ccxt -- --write\`; do not edit. ccxt 4.5.84 and this service read the same simulated venues at the
same instant. A cell counts the contracts on which both read the same value (within 1e-9); where they differ it says
of how many, and the number of the note that says why. An empty cell is what ccxt does not read. Not in ccxt: ${UNKNOWN_TO_CCXT.join(', ')}.
Of derive ccxt knows the address before v3, where nothing arrives any more; it is pointed at the calls of that name in v3.

${agreementTable(agreements)}
## Spot

The same of the spot side: prices and amounts per one unit of the base as the venue names it. Books and borrow rates are those of the first five
markets of a venue, five levels a side.

${spotAgreementTable(spot)}`;
}
