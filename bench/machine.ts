import { cpus, loadavg } from 'node:os';

/** Describes the machine of a figure, for the output. */
export function describeMachine(): string {
  const load = loadavg()[0]?.toFixed(1);
  return `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, load ${load}`;
}
