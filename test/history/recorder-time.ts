/** The factor by which the time of the recorders' histories passes faster: a minute in three seconds. */
export const FASTER = 20;
export const CONTRACTS = 200;
export const DATABASE = 'fail_over';
export const START = Date.UTC(2026, 9, 20, 12);

/** The time of all histories that began at one moment of the machine's clock. */
export const timeOf = (begun: number): number => START + (Date.now() - begun) * FASTER;
