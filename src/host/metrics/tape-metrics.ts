import type { Service } from '../options.ts';
import type { MetricSet } from './metric-set.ts';

/** Faults of those who are given what was decoded. */
export function tapeMetrics(metrics: MetricSet, { tape }: Pick<Service, 'tape'>): void {
  const name = 'perpmeter_tape_faults_total';
  const help =
    'Times that a listener of what is decoded failed: it missed a payload, and the log has the reason.';
  metrics.counter({ name, help, labels: ['listener'] }, (add) => {
    for (const [listener, faults] of tape.faults()) add({ listener }, faults);
  });
}
