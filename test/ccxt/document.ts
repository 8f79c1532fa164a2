import { agreementOf, agreementTable, disagreements, type VenueAgreement } from './agreement.ts';
import { READERS, UNKNOWN_TO_CCXT } from './readers/index.ts';
import type { Simulation } from './simulation.ts';

/** Reads every venue that ccxt has, both ways. */
export async function allAgreements(sim: Simulation): Promise<readonly VenueAgreement[]> {
  const agreements: VenueAgreement[] = [];
  for (const reader of READERS) agreements.push(await agreementOf(reader, sim));
  return agreements;
}

/** Everything that is not as it should be. */
export function allDisagreements(agreements: readonly VenueAgreement[]): string[] {
  return agreements.flatMap(disagreements);
}

/** docs/ccxt-agreement.md. */
export function agreementDocument(agreements: readonly VenueAgreement[]): string {
  return `# Agreement with ccxt

Written by \`npm run check ccxt -- --write\`; do not edit. ccxt 4.5.84 and this service read the same simulated venues at the
same instant. A cell counts the contracts on which both read the same value (within 1e-9); where they differ it says
of how many, and the number of the note that says why. An empty cell is what ccxt does not read. Not in ccxt: ${UNKNOWN_TO_CCXT.join(', ')}.
Of derive ccxt knows the address before v3, where nothing arrives any more; it is pointed at the calls of that name in v3.

${agreementTable(agreements)}`;
}
