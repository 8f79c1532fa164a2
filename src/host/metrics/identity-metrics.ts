import type { Service } from '../options.ts';
import { type MetricSet, onceATurn } from './metric-set.ts';

/** The store in which it is decided which asset each contract is. */
export function identityMetrics(
  metrics: MetricSet,
  { place, possibleRenames }: Pick<Service['identities'], 'place' | 'possibleRenames'>,
): void {
  const state = onceATurn(place);
  const gauges = [
    [
      'up',
      'Whether the store of identities last answered; 1 where it is on this machine.',
      () => Number(state().ok),
    ],
    [
      'waiting',
      'Contracts and venues that have no identity or number until the store answers.',
      () => state().waiting,
    ],
    [
      'refused',
      'Contracts and venues that have none, since the store refuses what they are called.',
      () => state().refused,
    ],
    [
      'possible_renames',
      'Large contracts of unknown names that appeared as known ones ended, of seven days; the log names them.',
      possibleRenames,
    ],
  ] as const;
  for (const [name, help, read] of gauges) {
    metrics.gauge({ name: `perpmeter_identities_${name}`, help }, (set) => set({}, read()));
  }
}
