import type { Random } from './random.ts';

/**
 * Faults of a settlement, with their frequency out of a hundred. Those that take the service's whole patience
 * are the fewest: each holds a buyer for seconds.
 */
const FAULTS = {
  none: 60,
  hang_before: 1,
  hang_after: 2,
  reset_before: 3,
  reset_after: 5,
  error_before: 3,
  error_after: 5,
  pending: 5,
  refused: 3,
  refused_after: 3,
  other_network: 3,
  other_payer: 2,
  nonsense_after: 1,
  lie: 1,
  unread: 2,
  late: 1,
} as const;
export type Fault = keyof typeof FAULTS;
const NAMES = Object.keys(FAULTS) as Fault[];
const SUM = NAMES.reduce((sum, name) => sum + FAULTS[name], 0);

/** The fault of one settlement. */
export function drawFault(random: Random): Fault {
  let point = random.between(1, SUM);
  for (const name of NAMES) {
    point -= FAULTS[name];
    if (point <= 0) return name;
  }
  return 'none';
}

/** Faults of a verification, out of a hundred. */
export function drawVerifyFault(random: Random): 'none' | 'hang' | 'reset' | 'unavailable' | 'invalid' {
  const point = random.between(1, 100);
  if (point <= 1) return 'hang';
  if (point <= 3) return 'reset';
  if (point <= 5) return 'unavailable';
  return point <= 7 ? 'invalid' : 'none';
}
